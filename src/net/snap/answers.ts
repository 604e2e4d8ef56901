import { compareBytes, emptyBytes, equalBytes, type Hash32, padLeft, zeroHash } from '../../primitives/bytes.ts'
import { emptyCodeHash } from '../../primitives/keccak.ts'
import type { StateStore } from '../../state/stateStore.ts'
import type { StateTries } from '../../state/stateTries.ts'
import type { Store } from '../../store/store.ts'
import { decodeHexPrefix } from '../../trie/decodeNode.ts'
import { RangeProofError } from '../../trie/fault.ts'
import { type Nibbles, toNibbles } from '../../trie/nibbles.ts'
import { nodeAt } from '../../trie/nodeAt.ts'
import { proveRange } from '../../trie/proveRange.ts'
import type { TrieReader } from '../../trie/trieReader.ts'
import { badMessage } from './fault.ts'
import {
  kindOf,
  type RangedAccount,
  type RangedSlot,
  type SnapKind,
  type SnapRequests,
  type SnapResponses,
} from './messages.ts'
import { decodeRequest } from './requests.ts'
import { encodeResponse } from './responses.ts'
import { encodeSlimAccount } from './slimAccount.ts'

/** The states of so many blocks before the head are served; other clients serve 128. */
const servedBlocks = 1024
/** Soft limit of a response in bytes: encrypting one takes the chain's thread some milliseconds. */
const maxBytes = 512 << 10
/** So much more of its slots a response may have, to return an account's slots as a whole. */
const slack = 1.1
/** Codes or nodes that are looked up for one response. */
const maxLookups = 1024
/** Milliseconds that a response may take; what was found until then is returned. */
const maxTime = 500

export interface SnapAnswerParts {
  readonly store: Pick<Store, 'read'>
  readonly states: Pick<StateStore, 'blockOf' | 'tries'>
  /** Milliseconds since an arbitrary moment. */
  now(): number
}

/** Answers requests of snap: returns the response to the request with this code. Throws a Fault if it is malformed. */
export type SnapAnswers = (code: number, payload: Uint8Array) => Uint8Array

/** What one response may have and cost. */
interface Budget {
  readonly bytes: number
  isOver(): boolean
}

type Answers = {
  readonly [K in SnapKind]: (request: SnapRequests[K], budget: Budget, tries?: StateTries) => SnapResponses[K]
}

const maxHash = new Uint8Array(32).fill(0xff) as Hash32

const answers: Answers = {
  accountRange({ origin, limit }, budget, tries) {
    if (!tries) return { accounts: [], proof: [] }
    const accounts: RangedAccount[] = []
    let bytes = 0
    for (const entry of tries.accountsFrom(origin)) {
      accounts.push(entry)
      bytes += 32 + encodeSlimAccount(entry.account).length
      if (bytes > budget.bytes || compareBytes(entry.hash, limit) >= 0 || budget.isOver()) break
    }
    return { accounts, proof: proofOf(tries.accountTrie, origin, accounts) }
  },

  storageRanges({ accounts, origin, limit }, budget, tries) {
    const slots: (readonly RangedSlot[])[] = []
    let bytes = 0
    for (const [i, account] of accounts.entries()) {
      if (!tries || bytes >= budget.bytes || (i > 0 && budget.isOver())) break
      const from = (i === 0 ? origin : undefined) ?? zeroHash
      const to = (i === 0 ? limit : undefined) ?? maxHash
      const found = collectSlots(tries.slotsFrom(account, from), to, budget, bytes)
      bytes = found.bytes
      if (found.slots.length > 0) slots.push(found.slots)
      // A proof says where the slots of the last account begin and end; without one they are complete.
      if (found.isCut || !equalBytes(from, zeroHash))
        return { slots, proof: proofOf(tries.storageTrie(account), from, found.slots) }
      // The peer counts on the order of its accounts.
      if (found.slots.length === 0) break
    }
    return { slots, proof: [] }
  },

  byteCodes({ hashes }, budget, tries) {
    const codes: Uint8Array[] = []
    let bytes = 0
    for (const hash of hashes.slice(0, maxLookups)) {
      const code = equalBytes(hash, emptyCodeHash) ? emptyBytes : tries?.code(hash)
      if (!code) continue
      codes.push(code)
      bytes += code.length
      if (bytes > budget.bytes || budget.isOver()) break
    }
    return codes
  },

  trieNodes({ sets }, budget, tries) {
    const nodes: Uint8Array[] = []
    let bytes = 0
    let lookups = 0
    for (const [trie, path] of tries ? pathsOf(sets, tries) : []) {
      const node = (path && nodeAt(trie, path)) ?? emptyBytes
      nodes.push(node)
      bytes += node.length
      if (bytes > budget.bytes || ++lookups >= maxLookups || budget.isOver()) break
    }
    return nodes
  },
}

interface FoundSlots {
  readonly slots: readonly RangedSlot[]
  readonly bytes: number
  /** Whether the account has more of them. */
  readonly isCut: boolean
}

function collectSlots(range: Iterable<RangedSlot>, limit: Hash32, budget: Budget, before: number): FoundSlots {
  const slots: RangedSlot[] = []
  let bytes = before
  let isEnd = false
  for (const slot of range) {
    if (isEnd || bytes >= budget.bytes * slack || (slots.length > 0 && budget.isOver()))
      return { slots, bytes, isCut: true }
    slots.push(slot)
    bytes += 32 + slot.data.length
    isEnd = compareBytes(slot.hash, limit) >= 0
  }
  return { slots, bytes, isCut: false }
}

function proofOf(trie: TrieReader, origin: Hash32, entries: readonly { readonly hash: Hash32 }[]): Uint8Array[] {
  const last = entries.at(-1)
  return proveRange(trie, toNibbles(origin), last && toNibbles(last.hash))
}

/** The tries and the paths in them, in order; a path that leads nowhere is undefined. */
function* pathsOf(
  sets: SnapRequests['trieNodes']['sets'],
  tries: StateTries,
): Iterable<readonly [trie: TrieReader, path: Nibbles | undefined]> {
  for (const [first, ...others] of sets) {
    if (others.length === 0) {
      yield [tries.accountTrie, readPath(first!)]
      continue
    }
    // As in geth: other lengths are read as numbers, and nothing is returned for an account that there is not.
    const account = padLeft(first!.slice(-32), 32) as Hash32
    if (!tries.account(account)) continue
    const trie = tries.storageTrie(account)
    for (const path of others) yield [trie, readPath(path)]
  }
}

/** A path in hex-prefix form; no bytes at all lead to the root, too. */
function readPath(packed: Uint8Array): Nibbles | undefined {
  if (packed.length === 0) return packed
  try {
    const { path, leaf } = decodeHexPrefix(packed)
    return leaf || path.length > 64 ? undefined : path
  } catch (error) {
    if (error instanceof RangeProofError) return undefined
    throw error
  }
}

/** Answers from the states of recent blocks; a state that there is not is answered with nothing, as the protocol wants it. */
export function createSnapAnswers({ store, states, now }: SnapAnswerParts): SnapAnswers {
  function answer<K extends SnapKind>(kind: K, payload: Uint8Array): Uint8Array {
    const { id, message } = decodeRequest(kind, payload)
    const end = now() + maxTime
    const budget: Budget = { bytes: Math.min(message.bytes, maxBytes), isOver: () => now() >= end }
    return store.read((reader) => {
      const root = 'root' in message ? message.root : undefined
      const at = root ? states.blockOf(reader, root, servedBlocks) : 'latest'
      const tries = at === undefined ? undefined : states.tries(reader, at)
      return encodeResponse(kind, id, answers[kind](message, budget, tries))
    })
  }

  return (code, payload) => {
    const { kind, isResponse } = kindOf(code)
    if (isResponse) throw badMessage('a response that nothing asked for')
    return answer(kind, payload)
  }
}
