import { badMessage } from '../../net/snap/fault.ts'
import { equalBytes, type Hash32, keyOf } from '../../primitives/bytes.ts'
import { keccak256 } from '../../primitives/keccak.ts'
import { decodeRlp, rlpBytes, rlpList, rlpScalar } from '../../primitives/rlp.ts'
import type { HealedAccount, LeafChange, StateDraft } from '../../state/stateDraft.ts'
import { type Nibbles, noNibbles, writeHexPrefix } from '../../trie/nibbles.ts'
import { refAt } from '../../trie/nodeAt.ts'
import type { TrieReader } from '../../trie/trieReader.ts'
import { type Account, emptyTrieRoot } from '../../types/account.ts'
import { CodeJobs } from './codeJobs.ts'
import { matchNodes, TrieHealing, type WantedNode } from './healTrie.ts'
import { type Phase, responseBytes, type WorkOf } from './work.ts'

/** Nodes that are asked for at once. */
const nodesPerRequest = 128
/** Accounts that are written at once. */
const accountsPerWrite = 256

/** An account that is another one than here, and what it lacks. */
interface AccountJob {
  readonly key: Hash32
  readonly account: Account
  readonly slots: LeafChange[]
  healing: TrieHealing | undefined
  hasCode: boolean
}

interface AskedNode {
  readonly healing: TrieHealing
  readonly node: WantedNode
}

/** Makes one state of parts of several: fetches the nodes of its tries that are others than here, and what hangs on them. */
export class HealPhase implements Phase {
  private readonly draft: StateDraft
  private readonly root: Hash32
  private readonly accounts: TrieHealing
  private readonly codes: CodeJobs
  private readonly jobs = new Map<string, AccountJob>()
  private done: HealedAccount[] = []
  private isMixedChecked = false
  private isOver = false

  constructor(draft: StateDraft, root: Hash32) {
    this.draft = draft
    this.root = root
    this.codes = new CodeJobs(draft)
    this.accounts = new TrieHealing(draft.trie(undefined), root, {
      clear: (prefix) => this.removeBelow(prefix, undefined),
      replace: (prefix, key, value) => {
        this.removeBelow(prefix, key)
        this.open(key, decodeAccount(value))
      },
    })
    this.settle()
  }

  isDone(): boolean {
    return this.isOver
  }

  next() {
    return this.nextNodes() ?? this.codes.next()
  }

  abandon(): void {
    this.flush()
    this.codes.clear()
  }

  private removeBelow(prefix: Nibbles, kept: Hash32 | undefined): void {
    for (const key of this.draft.keysBelow(undefined, prefix))
      if (!kept || !equalBytes(key, kept)) this.done.push({ key, account: undefined, slots: [] })
  }

  private open(key: Hash32, account: Account): void {
    const slots: LeafChange[] = []
    const job: AccountJob = { key, account, slots, healing: undefined, hasCode: false }
    const local = this.draft.trie(key)
    if (!equalBytes(rootOf(local), account.storageRoot))
      job.healing = new TrieHealing(local, account.storageRoot, {
        clear: (prefix) => {
          for (const slot of this.draft.keysBelow(key, prefix)) slots.push({ key: slot, value: undefined })
        },
        replace: (prefix, slot, value) => {
          for (const other of this.draft.keysBelow(key, prefix))
            if (!equalBytes(other, slot)) slots.push({ key: other, value: undefined })
          slots.push({ key: slot, value })
        },
      })
    this.jobs.set(keyOf(key), job)
    job.hasCode = this.codes.has(account.codeHash, () => {
      job.hasCode = true
      this.close(job)
      this.settle()
    })
    this.close(job)
  }

  /** Writes an account when it lacks nothing. */
  private close({ key, account, slots, healing, hasCode }: AccountJob): void {
    if (!hasCode || (healing && !healing.isDone())) return
    if (!this.jobs.delete(keyOf(key))) return
    this.done.push({ key, account, slots })
    if (this.done.length >= accountsPerWrite) this.flush()
  }

  private flush(): void {
    if (this.done.length > 0) this.draft.heal(this.done)
    this.done = []
  }

  /** Looks whether this is the end. */
  private settle(): void {
    if (this.isOver || this.jobs.size > 0 || !this.accounts.isDone()) return
    this.flush()
    if (!this.isMixedChecked) {
      this.isMixedChecked = true
      this.openMixed()
      this.settle()
      return
    }
    if (!equalBytes(rootOf(this.draft.trie(undefined)), this.root)) throw new Error('healing led to another state')
    this.draft.saveProgress({ ...this.draft.progress()!, mixed: [] })
    this.isOver = true
  }

  /** The slots of these may be of several states although their accounts are right. */
  private openMixed(): void {
    for (const owner of this.draft.progress()!.mixed) {
      const account = this.draft.account(owner)
      if (account) this.open(owner, account)
      else this.draft.clearOwners(owner, owner, [])
    }
  }

  private nextNodes(): WorkOf<'trieNodes'> | undefined {
    const asked: AskedNode[] = []
    const sets: (readonly Uint8Array[])[] = []
    for (const node of this.accounts.take(nodesPerRequest)) {
      asked.push({ healing: this.accounts, node })
      sets.push([packPath(node.path)])
    }
    for (const { key, healing } of this.jobs.values()) {
      const room = nodesPerRequest - asked.length
      if (room === 0) break
      const nodes = healing?.take(room) ?? []
      if (nodes.length === 0) continue
      for (const node of nodes) asked.push({ healing: healing!, node })
      sets.push([key, ...nodes.map(({ path }) => packPath(path))])
    }
    if (asked.length === 0) return undefined
    return {
      kind: 'trieNodes',
      request: { root: this.root, sets, bytes: responseBytes },
      giveBack: () => giveBack(asked),
      receive: (nodes) => this.receive(asked, nodes),
    }
  }

  private receive(asked: readonly AskedNode[], nodes: readonly Uint8Array[]): boolean {
    const found = matchNodes(
      asked.map(({ node }) => node),
      nodes,
    )
    if (!found) throw badMessage('a node that was not asked for')
    for (const [i, { healing, node }] of asked.entries()) {
      const rlp = found[i]
      if (rlp) healing.receive(node, rlp)
      else healing.giveBack([node])
    }
    for (const job of [...this.jobs.values()]) this.close(job)
    this.settle()
    return found.some((rlp) => rlp !== undefined)
  }
}

function giveBack(asked: readonly AskedNode[]): void {
  for (const { healing, node } of asked) healing.giveBack([node])
}

function rootOf(trie: TrieReader): Hash32 {
  const ref = refAt(trie, noNibbles)
  if (ref === undefined) return emptyTrieRoot
  return ref.length === 32 ? (ref as Hash32) : keccak256(ref)
}

/** A path in hex-prefix form. */
function packPath(path: Nibbles): Uint8Array {
  const out = new Uint8Array(1 + (path.length >>> 1))
  writeHexPrefix(path, 0, path.length, false, out, out.length)
  return out
}

/** Undoes the encoding of an account in the state trie. */
function decodeAccount(value: Uint8Array): Account {
  const [nonce, balance, storageRoot, codeHash] = rlpList(decodeRlp(value), 4)
  return {
    nonce: rlpScalar(nonce, 64),
    balance: rlpScalar(balance, 256),
    storageRoot: rlpBytes(storageRoot, 32).slice() as Hash32,
    codeHash: rlpBytes(codeHash, 32).slice() as Hash32,
  }
}
