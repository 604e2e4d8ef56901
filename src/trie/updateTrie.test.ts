import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createMemoryTrie } from '../../test/support/memoryTrie.ts'
import { naiveRoot } from '../../test/support/naiveTrie.ts'
import { sampled } from '../../test/support/wholeRun.ts'
import { compareBytes, keyOf } from '../primitives/bytes.ts'
import { emptyTrieRoot } from '../types/account.ts'
import { computeRoot } from './computeRoot.ts'
import { emptyTrie } from './trieReader.ts'
import { updateTrie } from './updateTrie.ts'

/** Batches of writes to keys of one length; undefined removes. */
function batches(keyBytes: number, digits: readonly number[]) {
  const byte = fc.tuple(fc.constantFrom(...digits), fc.constantFrom(...digits)).map(([a, b]) => (a << 4) | b)
  const key = fc.array(byte, { minLength: keyBytes, maxLength: keyBytes }).map((bytes) => keyOf(Uint8Array.from(bytes)))
  // Short values make embedded nodes, long ones nodes that are referenced by digest.
  const value = fc.oneof(
    fc.uint8Array({ minLength: 1, maxLength: 2 }),
    fc.uint8Array({ minLength: 33, maxLength: 40 }),
    fc.constant(undefined),
  )
  const batch = fc.array(fc.tuple(key, value), { maxLength: 12 }).map((writes) => new Map(writes))
  return fc.array(batch, { minLength: 1, maxLength: 8 })
}

const spaces = [
  { name: 'keys of one byte', keyBytes: 1, digits: [0, 1, 2, 15] },
  { name: 'keys of two bytes in a tiny space', keyBytes: 2, digits: [0, 1] },
  { name: 'keys of four bytes with long shared paths', keyBytes: 4, digits: [0, 7] },
  { name: 'keys of 32 bytes with long shared paths', keyBytes: 32, digits: [3, 3, 3, 3, 3, 3, 3, 4] },
  { name: 'keys of 32 bytes', keyBytes: 32, digits: [...Array(16).keys()] },
]

describe('an incremental trie equals one made from scratch', () => {
  for (const { name, keyBytes, digits } of spaces)
    test(name, () => {
      fc.assert(
        fc.property(batches(keyBytes, digits), (sequence) => {
          const trie = createMemoryTrie()
          for (const writes of sequence) {
            const update = trie.apply(writes)
            expect(update.root).toEqual(trie.entries().length === 0 ? emptyTrieRoot : naiveRoot(trie.entries()))
            const paths = update.branches.map(({ path }) => path)
            expect(paths).toEqual(paths.toSorted(compareBytes))
          }
          const fresh = createMemoryTrie()
          fresh.apply(new Map(trie.entries().map(([key, value]) => [keyOf(key), value])))
          expect(new Map([...trie.branches].sort())).toEqual(new Map([...fresh.branches].sort()))
        }),
        { numRuns: sampled(60, 200) },
      )
    })
})

test('no change leaves the root and no branches', () => {
  const trie = createMemoryTrie()
  const writes = new Map([keyOf(Uint8Array.of(1, 2)), keyOf(Uint8Array.of(1, 3))].map((key) => [key, Uint8Array.of(9)]))
  const { root } = trie.apply(writes)
  expect(trie.apply(new Map())).toEqual({ root, branches: [] })
})

test.each([
  [
    'the same key twice',
    [
      [1, 2],
      [1, 2],
    ],
  ],
  [
    'the same key twice beside others',
    [
      [1, 1],
      [1, 2],
      [1, 2],
      [3, 0],
    ],
  ],
  [
    'keys that do not ascend',
    [
      [2, 0],
      [1, 0],
    ],
  ],
])('%s is an error, not a loop', (_, keys) => {
  const changes = keys.map((key) => ({ key: Uint8Array.from(key), value: Uint8Array.of(9), existed: false }))
  expect(() => updateTrie(emptyTrie, changes)).toThrow('each key once')
})

test('a branch that is reported was really read from the trie before', () => {
  const trie = createMemoryTrie()
  const value = Uint8Array.of(9)
  trie.apply(new Map([[0x10, value] as const, [0x20, value] as const].map(([k, v]) => [keyOf(Uint8Array.of(k)), v])))
  const { branches } = trie.apply(new Map([[keyOf(Uint8Array.of(0x11)), value]]))
  expect(branches.map(({ path, before }) => [[...path], before !== undefined])).toEqual([
    [[], true],
    [[1], false],
  ])
})

test('computeRoot takes keys of different lengths, also one that starts another', () => {
  const entries = fc
    .uniqueArray(fc.tuple(fc.uint8Array({ maxLength: 4, max: 3 }), fc.uint8Array({ minLength: 1, maxLength: 40 })), {
      selector: ([key]) => keyOf(key),
      minLength: 1,
      maxLength: 20,
    })
    .map((list) => list.toSorted(([a], [b]) => compareBytes(a, b)))
  fc.assert(
    fc.property(entries, (list) => {
      expect(computeRoot(list)).toEqual(naiveRoot(list))
    }),
  )
})
