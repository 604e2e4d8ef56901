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

test('single transactions and receipts are read once while they are kept, and with their block not at all', () => {
  const reads: string[] = []
  const counted = <T>(name: string, value: T): T => {
    reads.push(name)
    return value
  }
  const tx = { data: new Uint8Array(10) }
  const found = { receipt: { logs: [] }, firstLogIndex: 3 }
  const receipts = [{ logs: [{ data: new Uint8Array(1) }, { data: new Uint8Array(1) }] }, { logs: [] }]
  const chain = {
    headerBy: (hash: Hash32) => counted(`header ${hash[0]}`, { hash }),
    transactionAt: (hash: Hash32, index: number) => counted(`tx ${hash[0]}.${index}`, tx),
    receiptAt: (hash: Hash32, index: number) => counted(`receipt ${hash[0]}.${index}`, index < 9 ? found : undefined),
    blockBy: (hash: Hash32) => ({ hash, block: { transactions: [tx] } }),
    receipts: () => receipts,
  } as unknown as ChainView
  const view = rememberingView(chain, createRecentBlocks(20_000))
  const readAll = (n: number) => [
    view.headerBy(hashOf(n)),
    view.transactionAt(hashOf(n), 4),
    view.receiptAt(hashOf(n), 4),
  ]
  expect(readAll(1)).toEqual([{ hash: hashOf(1) }, tx, found])
  readAll(1)
  expect(reads.splice(0)).toEqual(['header 1', 'tx 1.4', 'receipt 1.4'])
  for (const n of [2, 3, 4]) readAll(n)
  reads.length = 0
  readAll(4)
  expect(reads).toEqual([])
  // Three blocks with a transaction and a receipt each have room: the first one has gone.
  readAll(1)
  expect(reads.splice(0)).toEqual(['header 1', 'tx 1.4', 'receipt 1.4'])

  expect([view.receiptAt(hashOf(1), 9), view.receiptAt(hashOf(1), 9)]).toEqual([undefined, undefined])
  expect(reads.splice(0)).toEqual(['receipt 1.9', 'receipt 1.9'])
  const block = view.blockBy(hashOf(1))
  view.receipts(hashOf(1))
  expect(view.headerBy(hashOf(1))).toBe(block)
  expect([view.transactionAt(hashOf(1), 0), view.transactionAt(hashOf(1), 1)]).toEqual([tx, undefined])
  expect(view.receiptAt(hashOf(1), 1)).toEqual({ receipt: receipts[1], firstLogIndex: 2 })
  expect(view.receiptAt(hashOf(1), 2)).toBeUndefined()
  expect(reads).toEqual([])
})
