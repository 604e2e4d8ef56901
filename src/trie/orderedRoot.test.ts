import fc from 'fast-check'
import { expect, test } from 'vitest'
import { naiveRoot } from '../../test/support/naiveTrie.ts'
import { encodeRlp, scalar } from '../primitives/rlp.ts'
import { emptyTrieRoot } from '../types/account.ts'
import { orderedTrieRoot } from './orderedRoot.ts'

test('no values have the root of an empty trie', () => {
  expect(orderedTrieRoot([])).toEqual(emptyTrieRoot)
})

test('the keys are the indices in RLP', () => {
  const values = fc.array(fc.uint8Array({ minLength: 1, maxLength: 40 }), { minLength: 1, maxLength: 300 })
  fc.assert(
    fc.property(values, (list) => {
      expect(orderedTrieRoot(list)).toEqual(naiveRoot(list.map((value, i) => [encodeRlp(scalar(i)), value])))
    }),
    { numRuns: 30 },
  )
})

test('more values than one byte of index can count', () => {
  const list = Array.from({ length: 260 }, (_, i) => Uint8Array.of(i & 0xff, 1))
  expect(orderedTrieRoot(list)).toEqual(naiveRoot(list.map((value, i) => [encodeRlp(scalar(i)), value])))
})
