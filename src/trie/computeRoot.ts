import type { Hash32 } from '../primitives/bytes.ts'
import { keccak256 } from '../primitives/keccak.ts'
import { emptyTrieRoot } from '../types/account.ts'
import { type Nibbles, toNibbles } from './nibbles.ts'
import { branchRlp, extensionRlp, leafRlp, type NodeRef, toRef } from './nodeRlp.ts'

/** A key and its value; the value is not empty. */
export type TrieEntry = readonly [key: Uint8Array, value: Uint8Array]

/** Returns the root of the trie of `entries`, which are sorted by key (of any length), each key once. */
export function computeRoot(entries: readonly TrieEntry[]): Hash32 {
  if (entries.length === 0) return emptyTrieRoot
  const keys = entries.map(nibblesOf)
  return keccak256(nodeRlp(keys, entries, 0, entries.length, 0))
}

/** Entries with the nibbles of their keys, sorted. */
export interface KeyedEntries {
  readonly keys: readonly Nibbles[]
  readonly entries: readonly TrieEntry[]
}

/** Returns the reference to the subtree of the entries `lo … hi-1`, of which there are some, below `depth` nibbles that they share. */
export function subtreeRef({ keys, entries }: KeyedEntries, lo: number, hi: number, depth: number): NodeRef {
  return toRef(nodeRlp(keys, entries, lo, hi, depth))
}

export function nibblesOf([key]: TrieEntry): Nibbles {
  return toNibbles(key)
}

function nodeRlp(
  keys: readonly Nibbles[],
  entries: readonly TrieEntry[],
  lo: number,
  hi: number,
  depth: number,
): Uint8Array {
  const first = keys[lo]!
  if (hi - lo === 1) return leafRlp(first, depth, entries[lo]![1])
  const last = keys[hi - 1]!
  let at = depth
  while (at < first.length && first[at] === last[at]) at++
  if (at > depth) return extensionRlp(first, depth, at, toRef(nodeRlp(keys, entries, lo, hi, at)))
  const refs: (NodeRef | undefined)[] = new Array(16).fill(undefined)
  // A key that ends here sorts before all longer ones.
  const ends = first.length === depth
  for (let from = ends ? lo + 1 : lo; from < hi; ) {
    const nibble = keys[from]![depth]!
    let to = from + 1
    while (to < hi && keys[to]![depth] === nibble) to++
    refs[nibble] = toRef(nodeRlp(keys, entries, from, to, depth + 1))
    from = to
  }
  return branchRlp(refs, ends ? entries[lo]![1] : undefined)
}
