import { expect, test } from 'vitest'
import type { ChainView, HashedBlock } from '../chain/view.ts'
import type { Hash32 } from '../primitives/bytes.ts'
import { createRecentBlocks, rememberingView } from './recentBlocks.ts'

const hashOf = (n: number) => Uint8Array.of(n) as Uint8Array as Hash32

/** A chain of blocks with a transaction of 10,000 bytes each, which counts how often it is read. */
function createChain(length: number) {
  const reads: number[] = []
  const chain = {
    get head() {
      return 'the head'
    },
    hashAt: (number: bigint) => (number < length ? hashOf(Number(number)) : undefined),
    blockBy(hash: Hash32) {
      const n = hash[0]!
      if (n >= length) return undefined
      reads.push(n)
      return { hash, block: { transactions: [{ data: new Uint8Array(10_000) }] } } as unknown as HashedBlock
    },
    receipts: (hash: Hash32) => (hash[0]! < length ? [] : undefined),
  } as unknown as ChainView
  return { chain, reads }
}

test('a block is read once while it is kept', () => {
  const { chain, reads } = createChain(10)
  const view = rememberingView(chain, createRecentBlocks(80_000))
  const first = view.blockAt(1n)
  expect(view.blockBy(hashOf(1))).toBe(first)
  expect(view.body(hashOf(1))).toBe(first!.block)
  expect(reads).toEqual([1])
  view.blockAt(2n)
  view.blockAt(3n)
  view.blockAt(1n)
  expect(reads).toEqual([1, 2, 3, 1])
})

test('a block that was handed over need not be read', () => {
  const { chain, reads } = createChain(10)
  const recent = createRecentBlocks(80_000)
  const view = rememberingView(chain, recent)
  const block = chain.blockBy(hashOf(1))!
  recent.put(block)
  recent.put(block)
  expect(view.blockAt(1n)).toBe(block)
  view.blockAt(2n)
  expect(view.blockAt(1n)).toBe(block)
  expect(reads).toEqual([1, 2])
})

test('what is not there is not remembered, and all else is the view itself', () => {
  const { chain, reads } = createChain(1)
  const view = rememberingView(chain, createRecentBlocks())
  expect(view.blockAt(5n)).toBeUndefined()
  expect(view.receipts(hashOf(5))).toBeUndefined()
  expect(view.receipts(hashOf(0))).toEqual([])
  expect(view.head).toBe('the head')
  expect(reads).toEqual([])
})
