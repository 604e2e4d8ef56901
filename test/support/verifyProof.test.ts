import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { equalBytes, keyOf } from '../../src/primitives/bytes.ts'
import { toNibbles } from '../../src/trie/nibbles.ts'
import { prove } from '../../src/trie/prove.ts'
import { emptyTrieRoot } from '../../src/types/account.ts'
import { createMemoryTrie } from './memoryTrie.ts'
import { ProofError } from './proofFault.ts'
import { verifyProof } from './verifyProof.ts'

function tries(keyBytes: number, maxByte: number) {
  const key = fc.uint8Array({ minLength: keyBytes, maxLength: keyBytes, max: maxByte })
  const value = fc.oneof(fc.uint8Array({ minLength: 1, maxLength: 2 }), fc.uint8Array({ minLength: 33, maxLength: 40 }))
  return fc.record({ entries: fc.array(fc.tuple(key, value), { minLength: 1, maxLength: 25 }), asked: key })
}

function build(entries: readonly (readonly [Uint8Array, Uint8Array])[]) {
  const trie = createMemoryTrie()
  const writes = new Map(entries.map(([key, value]) => [keyOf(key), value]))
  return { root: trie.apply(writes).root, reader: trie.reader, values: writes }
}

describe.each([
  { name: 'tiny keys', keyBytes: 1, maxByte: 0x22 },
  { name: 'short keys', keyBytes: 3, maxByte: 3 },
  { name: 'hashes', keyBytes: 32, maxByte: 255 },
])('$name', ({ keyBytes, maxByte }) => {
  test('every proof of a key that is there or is not shows just that', () => {
    fc.assert(
      fc.property(tries(keyBytes, maxByte), ({ entries, asked }) => {
        const { root, reader, values } = build(entries)
        for (const key of [asked, ...entries.map(([key]) => key)])
          expect(verifyProof(root, key, prove(reader, toNibbles(key)))).toEqual(values.get(keyOf(key)))
      }),
    )
  })

  test('a proof with a byte changed, a node left out, added or swapped shows nothing', () => {
    const tamper = fc.record({ node: fc.nat(), byte: fc.nat(), by: fc.integer({ min: 1, max: 255 }) })
    fc.assert(
      fc.property(tries(keyBytes, maxByte), tamper, ({ entries, asked }, { node, byte, by }) => {
        const { root, reader } = build(entries)
        const proof = prove(reader, toNibbles(asked))
        const changed = proof.map((bytes) => bytes.slice())
        const target = changed[node % changed.length]!
        target[byte % target.length]! ^= by
        expect(() => verifyProof(root, asked, changed)).toThrow(ProofError)
        expect(() => verifyProof(root, asked, proof.slice(0, -1))).toThrow(ProofError)
        expect(() => verifyProof(root, asked, [...proof, proof[0]!])).toThrow(ProofError)
        const reversed = proof.toReversed()
        if (proof.some((bytes, i) => !equalBytes(bytes, reversed[i]!)))
          expect(() => verifyProof(root, asked, reversed)).toThrow(ProofError)
      }),
    )
  })

  test('a proof for one root shows nothing for another', () => {
    fc.assert(
      fc.property(tries(keyBytes, maxByte), ({ entries, asked }) => {
        const { reader } = build(entries)
        const other = build([...entries, [asked, Uint8Array.of(1, 2, 3)]]).root
        expect(() => verifyProof(other, asked, prove(reader, toNibbles(asked)))).toThrow(ProofError)
      }),
    )
  })
})

test('an empty trie proves every key absent with no nodes', () => {
  expect(
    verifyProof(emptyTrieRoot, Uint8Array.of(1), prove(createMemoryTrie().reader, toNibbles(Uint8Array.of(1)))),
  ).toBe(undefined)
})
