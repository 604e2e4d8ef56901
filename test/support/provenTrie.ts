import fc from 'fast-check'
import { compareBytes, keyOf } from '../../src/primitives/bytes.ts'
import type { TrieEntry } from '../../src/trie/computeRoot.ts'
import { toNibbles } from '../../src/trie/nibbles.ts'
import { proveRange } from '../../src/trie/proveRange.ts'
import type { ProvenRange } from '../../src/trie/verifyRange.ts'
import { emptyTrieRoot } from '../../src/types/account.ts'
import { createMemoryTrie } from './memoryTrie.ts'
import { naiveRoot } from './naiveTrie.ts'

/** A trie in memory, and what an honest server returns of it. */
export function provenTrie(entries: readonly TrieEntry[]) {
  const trie = createMemoryTrie()
  trie.apply(new Map(entries.map(([key, value]) => [keyOf(key), value])))
  const sorted = trie.entries()
  const root = sorted.length === 0 ? emptyTrieRoot : naiveRoot(sorted)
  /** At most `max` entries from the origin on. */
  const answer = (origin: Uint8Array, max: number): ProvenRange => {
    const entries = sorted.filter(([key]) => compareBytes(key, origin) >= 0).slice(0, max)
    const last = entries.at(-1)?.[0]
    return { root, origin, entries, proof: proveRange(trie.reader, toNibbles(origin), last && toNibbles(last)) }
  }
  return { reader: trie.reader, root, sorted, answer }
}

/** Keys that make tries of different shapes. */
export const trieSpaces = [
  { name: 'keys of one byte', keyBytes: 1, digits: [0, 1, 2, 15] },
  { name: 'keys of two bytes in a tiny space', keyBytes: 2, digits: [0, 1] },
  { name: 'keys of four bytes with long shared paths', keyBytes: 4, digits: [0, 7] },
  { name: 'keys of 32 bytes with long shared paths', keyBytes: 32, digits: [3, 3, 3, 3, 3, 3, 3, 4] },
  { name: 'keys of 32 bytes', keyBytes: 32, digits: [...Array(16).keys()] },
]

export function keyIn(keyBytes: number, digits: readonly number[]) {
  const byte = fc.tuple(fc.constantFrom(...digits), fc.constantFrom(...digits)).map(([a, b]) => (a << 4) | b)
  return fc.array(byte, { minLength: keyBytes, maxLength: keyBytes }).map((bytes) => Uint8Array.from(bytes))
}

// Short values make embedded nodes, long ones nodes that are referenced by digest.
export const trieValue = fc.oneof(
  fc.uint8Array({ minLength: 1, maxLength: 2 }),
  fc.uint8Array({ minLength: 33, maxLength: 40 }),
)
