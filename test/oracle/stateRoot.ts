import { compareBytes, type Hash32 } from '../../src/primitives/bytes.ts'
import { keccak256 } from '../../src/primitives/keccak.ts'
import { encodeRlp, type RlpItem, scalar } from '../../src/primitives/rlp.ts'
import { emptyTrieRoot } from '../../src/types/account.ts'
import type { AccountState, State } from './state.ts'
import { addressBytes, wordBytes } from './words.ts'

interface Leaf {
  /** Nibbles of the hashed key. */
  readonly path: Uint8Array
  readonly value: Uint8Array
}

/** Root of the Merkle-Patricia trie over the state, built from nothing by the definition in the yellow paper. */
export function stateRoot(state: State): Hash32 {
  return rootOf([...state].map(([address, account]) => leaf(addressBytes(address), encodeAccount(account))))
}

function encodeAccount({ nonce, balance, code, storage }: AccountState): Uint8Array {
  const slots = [...storage].map(([slot, value]) => leaf(wordBytes(slot), encodeRlp(scalar(value))))
  return encodeRlp([scalar(nonce), scalar(balance), rootOf(slots), keccak256(code)])
}

function leaf(key: Uint8Array, value: Uint8Array): Leaf {
  const path = Uint8Array.from([...keccak256(key)].flatMap((byte) => [byte >> 4, byte & 15]))
  return { path, value }
}

function rootOf(leaves: readonly Leaf[]): Hash32 {
  if (leaves.length === 0) return emptyTrieRoot
  const sorted = [...leaves].sort((a, b) => compareBytes(a.path, b.path))
  return keccak256(encodeRlp(nodeOf(sorted, 0)))
}

/** The node over leaves that share their first `depth` nibbles. */
function nodeOf(leaves: readonly Leaf[], depth: number): RlpItem {
  const [first] = leaves
  if (first === undefined) return new Uint8Array(0)
  if (leaves.length === 1) return [hexPrefix(first.path.subarray(depth), true), first.value]
  const shared = sharedLength(first.path, leaves.at(-1)!.path)
  if (shared > depth) return [hexPrefix(first.path.subarray(depth, shared), false), reference(nodeOf(leaves, shared))]
  const children: RlpItem[] = []
  for (let nibble = 0; nibble < 16; nibble++) {
    const below = leaves.filter(({ path }) => path[depth] === nibble)
    children.push(reference(nodeOf(below, depth + 1)))
  }
  return [...children, new Uint8Array(0)]
}

/** A node inside its parent: itself when shorter than a digest. */
function reference(node: RlpItem): RlpItem {
  const bytes = encodeRlp(node)
  return bytes.length < 32 ? node : keccak256(bytes)
}

/** Leaves are sorted, so that what the first and the last one share is shared by all. */
function sharedLength(a: Uint8Array, b: Uint8Array): number {
  let n = 0
  while (n < a.length && a[n] === b[n]) n++
  return n
}

function hexPrefix(nibbles: Uint8Array, isLeaf: boolean): Uint8Array {
  const odd = nibbles.length % 2
  const flag = (isLeaf ? 2 : 0) + odd
  const padded = odd ? [flag, ...nibbles] : [flag, 0, ...nibbles]
  return Uint8Array.from({ length: padded.length / 2 }, (_, i) => padded[2 * i]! * 16 + padded[2 * i + 1]!)
}
