import type { SnapKind, SnapRequests, SnapResponses } from '../../src/net/snap/messages.ts'
import { equalBytes, type Hash32, keyOf, zeroHash } from '../../src/primitives/bytes.ts'
import { emptyCodeHash, keccak256 } from '../../src/primitives/keccak.ts'
import { decodeNode } from '../../src/trie/decodeNode.ts'
import { concatNibbles, type Nibbles, noNibbles, packNibbles } from '../../src/trie/nibbles.ts'
import { verifyRange } from '../../src/trie/verifyRange.ts'
import { type Account, emptyTrieRoot, encodeAccount } from '../../src/types/account.ts'

/** Asks a server of snap. */
export type AskSnap = <K extends SnapKind>(kind: K, request: SnapRequests[K]) => Promise<SnapResponses[K]>

/** A state by hashes: accounts, their slots (values of the leaves), code. */
export interface DownloadedState {
  readonly accounts: ReadonlyMap<string, Account>
  readonly slots: ReadonlyMap<string, ReadonlyMap<string, Uint8Array>>
  readonly codes: ReadonlyMap<string, Uint8Array>
}

const maxHash = new Uint8Array(32).fill(0xff) as Hash32

function after(hash: Hash32): Hash32 {
  const next = hash.slice() as Hash32
  for (let i = 31; i >= 0; i--) if (++next[i]! < 256 && next[i] !== 0) break
  return next
}

/** Takes over a whole state in ranges, each of which is verified, and code. */
export async function downloadState(ask: AskSnap, root: Hash32, bytes: number): Promise<DownloadedState> {
  const accounts = new Map<string, Account>()
  for (let origin = zeroHash, more = true; more; ) {
    const { accounts: page, proof } = await ask('accountRange', { root, origin, limit: maxHash, bytes })
    const entries = page.map(({ hash, account }) => [hash, encodeAccount(account).slice()] as const)
    more = verifyRange({ root, origin, entries, proof: proof.length > 0 ? proof : undefined }).more
    for (const { hash, account } of page) accounts.set(keyOf(hash), account)
    if (more) origin = after(page.at(-1)!.hash)
  }
  const slots = new Map<string, ReadonlyMap<string, Uint8Array>>()
  const wanted = [...accounts].filter(([, { storageRoot }]) => !equalBytes(storageRoot, emptyTrieRoot))
  for (let at = 0; at < wanted.length; ) {
    const hashes = wanted.slice(at, at + 8).map(([key]) => Buffer.from(key, 'latin1') as Uint8Array as Hash32)
    const got = await downloadSlots(ask, root, hashes, wanted.slice(at), bytes)
    for (const [i, found] of got.entries()) slots.set(wanted[at + i]![0], found)
    at += got.length
  }
  const codes = new Map<string, Uint8Array>()
  const hashes = [...accounts.values()]
    .map(({ codeHash }) => codeHash)
    .filter((hash) => !equalBytes(hash, emptyCodeHash))
  const missing = new Map(hashes.map((hash) => [keyOf(hash), hash]))
  while (missing.size > 0) {
    const found = await ask('byteCodes', { hashes: [...missing.values()], bytes })
    if (found.length === 0) throw new Error('no code')
    for (const code of found) {
      const key = keyOf(keccak256(code))
      if (!missing.delete(key)) throw new Error('code that was not asked for')
      codes.set(key, code)
    }
  }
  return { accounts, slots, codes }
}

async function downloadSlots(
  ask: AskSnap,
  root: Hash32,
  hashes: readonly Hash32[],
  wanted: readonly (readonly [string, Account])[],
  bytes: number,
): Promise<Map<string, Uint8Array>[]> {
  const { slots, proof } = await ask('storageRanges', {
    root,
    accounts: hashes,
    origin: undefined,
    limit: undefined,
    bytes,
  })
  if (slots.length === 0) throw new Error('no slots')
  const all: Map<string, Uint8Array>[] = []
  for (const [i, page] of slots.entries()) {
    const account = hashes[i]!
    const { storageRoot } = wanted[i]![1]
    const found = new Map<string, Uint8Array>()
    all.push(found)
    let [now, part, origin] = [page, i === slots.length - 1 && proof.length > 0 ? proof : undefined, zeroHash]
    for (;;) {
      const entries = now.map(({ hash, data }) => [hash, data] as const)
      const { more } = verifyRange({ root: storageRoot, origin, entries, proof: part })
      for (const { hash, data } of now) found.set(keyOf(hash), data)
      if (!more) break
      origin = after(now.at(-1)!.hash)
      const next = await ask('storageRanges', { root, accounts: [account], origin, limit: maxHash, bytes })
      now = next.slots[0] ?? []
      part = next.proof
    }
  }
  return all
}

function packed(path: Nibbles): Uint8Array {
  const odd = path.length % 2 === 1
  const flags = odd ? Uint8Array.of(1) : Uint8Array.of(0, 0)
  return packNibbles(concatNibbles(flags, path))
}

/** Fetches every node of a trie by its path, checks each against its parent; returns the values of the leaves by key. */
export async function walkTrie(
  ask: AskSnap,
  root: Hash32,
  owner: Hash32 | undefined,
  trieRoot: Hash32,
): Promise<Map<string, Uint8Array>> {
  const leaves = new Map<string, Uint8Array>()
  let wanted: { path: Nibbles; ref: Uint8Array }[] = [{ path: noNibbles, ref: trieRoot }]
  while (wanted.length > 0) {
    const paths = wanted.map(({ path }) => packed(path))
    const sets = owner ? [[owner, ...paths]] : paths.map((path) => [path])
    const nodes = await ask('trieNodes', { root, sets, bytes: 100_000 })
    if (nodes.length === 0) throw new Error('no nodes')
    const next: typeof wanted = []
    for (const [i, node] of nodes.entries()) {
      const { path, ref } = wanted[i]!
      if (!equalBytes(keccak256(node), ref)) throw new Error('another node')
      open(node, path)
    }
    wanted = [...next, ...wanted.slice(nodes.length)]

    function open(rlp: Uint8Array, path: Nibbles): void {
      const node = decodeNode(rlp)
      if (node.kind === 'leaf') leaves.set(keyOf(packNibbles(concatNibbles(path, node.path))), node.value.slice())
      else if (node.kind === 'extension') follow(concatNibbles(path, node.path), node.child)
      else for (const [i, ref] of node.children.entries()) if (ref) follow(concatNibbles(path, Uint8Array.of(i)), ref)
    }
    function follow(path: Nibbles, ref: Uint8Array): void {
      if (ref.length < 32) open(ref, path)
      else next.push({ path, ref: ref.slice() })
    }
  }
  return leaves
}
