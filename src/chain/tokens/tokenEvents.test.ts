import { expect, test } from 'vitest'
import {
  type AnyLog,
  accountOf,
  batchTransfer,
  erc20Transfer,
  erc721Transfer,
  singleTransfer,
} from '../../../test/support/anyLogs.ts'
import { type Address, concatBytes, type Hash32, zeroAddress } from '../../primitives/bytes.ts'
import { bytesToBigInt, maxU256, toWord } from '../../primitives/u256.ts'
import { batchTopic, transferTopic, visitTransfers } from './tokenEvents.ts'

const [alice, bob] = [accountOf(0xa11ce), accountOf(0xb0b)]

/** Kind, parties, item and amount of each movement. */
function found({ topics, data }: AnyLog): unknown[] {
  const all: unknown[] = []
  const read = (bytes: Uint8Array | undefined) => bytes && bytesToBigInt(bytes)
  visitTransfers({ address: zeroAddress, topics: topics as readonly Hash32[], data }, (kind, from, to, item, amount) =>
    all.push([kind, Number(read(from)), Number(read(to)), read(item), read(amount)]),
  )
  return all
}

test('movements of the three standards', () => {
  expect(found(erc20Transfer(alice, bob, 7n))).toEqual([[0, 0xa11ce, 0xb0b, undefined, 7n]])
  expect(found(erc721Transfer(alice, bob, maxU256))).toEqual([[1, 0xa11ce, 0xb0b, maxU256, undefined]])
  expect(found(singleTransfer(alice, bob, 5n, maxU256))).toEqual([[2, 0xa11ce, 0xb0b, 5n, maxU256]])
  expect(
    found(
      batchTransfer(alice, bob, [
        [5n, 1n],
        [6n, 2n],
      ]),
    ),
  ).toEqual([
    [2, 0xa11ce, 0xb0b, 5n, 1n],
    [2, 0xa11ce, 0xb0b, 6n, 2n],
  ])
  expect(found(batchTransfer(alice, bob, []))).toEqual([])
})

/** A batch whose data is made of these words. */
const batchOf = (...words: readonly bigint[]): AnyLog => ({
  ...batchTransfer(alice, bob, []),
  data: concatBytes(...words.map(toWord)),
})

test('arrays of a batch that lie in each other are read once each', () => {
  expect(found(batchOf(64n, 64n, 2n, 8n, 9n))).toEqual([
    [2, 0xa11ce, 0xb0b, 8n, 8n],
    [2, 0xa11ce, 0xb0b, 9n, 9n],
  ])
})

test.each<readonly [string, AnyLog]>([
  ['without topics', { topics: [], data: toWord(1n) }],
  ['of another event', { ...erc20Transfer(alice, bob, 1n), topics: [toWord(1n), toWord(2n), toWord(3n)] }],
  ['with too few topics', { topics: [transferTopic, toWord(1n)], data: toWord(1n) }],
  ['with a topic that is no address', { topics: [transferTopic, toWord(maxU256), toWord(1n)], data: toWord(1n) }],
  [
    'with a second topic that is no address',
    { topics: [transferTopic, toWord(1n), toWord(1n << 160n)], data: toWord(1n) },
  ],
  ['without its amount', { ...erc20Transfer(alice, bob, 1n), data: new Uint8Array(31) }],
  ['of one item without its amount', { ...singleTransfer(alice, bob, 1n, 1n), data: new Uint8Array(63) }],
  [
    'a batch with three topics',
    { topics: [batchTopic, toWord(1n), toWord(2n)], data: batchTransfer(alice, bob, [[1n, 1n]]).data },
  ],
  ['a batch without data', batchOf()],
  ['a batch with a place beyond its data', batchOf(64n, 1000n, 1n, 1n)],
  ['a batch with a place beyond all numbers', batchOf(64n, maxU256, 1n, 1n)],
  ['a batch with more items than data', batchOf(64n, 64n, 1_000_000n, 1n)],
  ['a batch with a count beyond all numbers', batchOf(64n, 64n, maxU256, 1n)],
  ['a batch with more items than amounts', batchOf(64n, 160n, 2n, 1n, 1n, 1n, 1n)],
  [
    'a batch whose last word is cut off',
    { ...batchOf(), data: concatBytes(toWord(64n), toWord(64n), toWord(1n), new Uint8Array(31)) },
  ],
])('a log %s says nothing', (_, log) => {
  expect(found(log)).toEqual([])
})

test('a longer amount is cut, as libraries read it', () => {
  const log = erc20Transfer(alice, bob as Address, 7n)
  expect(found({ ...log, data: concatBytes(log.data, toWord(9n)) })).toEqual([[0, 0xa11ce, 0xb0b, undefined, 7n]])
})
