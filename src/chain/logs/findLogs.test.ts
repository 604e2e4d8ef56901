import { describe, expect, test } from 'vitest'
import { createRandom, type Random } from '../../../test/fuzz/random.ts'
import { withTempStore } from '../../../test/support/tempStore.ts'
import { devSpec } from '../../../test/support/testChain.ts'
import { type WrittenBlock, writeBlocks, writtenAddresses, writtenTopics } from '../../../test/support/writtenBlocks.ts'
import { toHex } from '../../primitives/hex.ts'
import { createStateStore } from '../../state/stateStore.ts'
import { receipts } from '../../store/chainTables.ts'
import type { Store } from '../../store/store.ts'
import { txHash } from '../../types/encodeTx.ts'
import { createChainView } from '../createChainView.ts'
import { encodeReceipts } from '../storedReceipts.ts'
import type { ChainView, LogConditions, LogQuery, PlacedLog } from '../view.ts'
import { findLogs } from './findLogs.ts'
import { matchesLog } from './logIndex.ts'

const blockCount = 120
const queryCount = 300

function readView<T>(store: Store, ask: (view: ChainView) => T): T {
  const parts = { spec: devSpec, states: createStateStore(store), consensus: {} }
  return store.read((reader) => ask(createChainView(parts, reader, () => {})))
}

/** The plain way: each log of the decoded receipts is compared. */
function plainLogs({ header, hash, block, receipts: list }: WrittenBlock, conditions: LogConditions): PlacedLog[] {
  let logIndex = 0
  return list.flatMap(({ logs }, txIndex) =>
    logs.flatMap((log) => {
      const place = { blockNumber: header.number, blockHash: hash, txIndex, logIndex: logIndex++ }
      return matchesLog(log, conditions) ? [{ ...log, ...place, txHash: txHash(block.transactions[txIndex]!) }] : []
    }),
  )
}

/** All that a log says, byte for byte; to compare the objects themselves takes a hundred times as long. */
function textOf(logs: readonly PlacedLog[]): string {
  const lines = logs.map(({ address, topics, data, blockNumber, blockHash, txIndex, txHash: hash, logIndex }) =>
    [...[address, ...topics, data, blockHash, hash].map(toHex), blockNumber, txIndex, logIndex].join(' '),
  )
  return lines.join('\n')
}

function someOf<T>(random: Random, list: readonly T[]): T[] {
  return list.filter(() => random.below(3) === 0)
}

function someQuery(random: Random): LogQuery {
  const from = random.below(blockCount)
  return {
    fromBlock: BigInt(from),
    toBlock: BigInt(from + random.below(blockCount)),
    addresses: someOf(random, writtenAddresses),
    topics: Array.from({ length: random.below(6) }, () => someOf(random, writtenTopics)),
  }
}

describe.each([
  ['with the index', true],
  ['by blooms', false],
])('logs found in stored receipts, %s, are those that the plain way finds', (_, indexLogs) => {
  test('in a range of blocks', () =>
    withTempStore((store) => {
      const random = createRandom(1)
      const blocks = writeBlocks(store, random, blockCount, indexLogs)
      const queries = Array.from({ length: queryCount }, () => someQuery(random))
      // All are read before the first is compared: nothing that was found may lie in memory that later reads use.
      const found = readView(store, (view) => queries.map((query) => [...view.logs(query)]))
      let total = 0
      for (const [i, query] of queries.entries()) {
        const range = blocks.slice(Number(query.fromBlock), Math.min(Number(query.toBlock) + 1, blockCount))
        expect(textOf(found[i]!)).toBe(textOf(range.flatMap((block) => plainLogs(block, query))))
        total += found[i]!.length
      }
      expect(total).toBeGreaterThan(queryCount)
    }))

  test('in one block, canonical or not', () =>
    withTempStore((store) => {
      const random = createRandom(2)
      const blocks = writeBlocks(store, random, blockCount, indexLogs)
      const asked = blocks.map((block) => ({ block, conditions: [someQuery(random), { addresses: [], topics: [] }] }))
      const found = readView(store, (view) =>
        asked.map(({ block, conditions }) => conditions.map((one) => view.logsOf(block.hash, one))),
      )
      for (const [i, { block, conditions }] of asked.entries())
        expect(found[i]!.map(textOf)).toEqual(conditions.map((one) => textOf(plainLogs(block, one))))
    }))
})

test('a block that nobody knows has no logs', () =>
  withTempStore((store) => {
    writeBlocks(store, createRandom(3), 3)
    expect(readView(store, (view) => view.logsOf(writtenTopics[4]!, { addresses: [], topics: [] }))).toEqual([])
  }))

test('receipts that are cut off are found out, wherever they end', () =>
  withTempStore((store) => {
    const blocks = writeBlocks(store, createRandom(4), 20)
    const bytes = encodeReceipts(blocks.find((block) => block.receipts.length === 5)!.receipts)
    const everything: LogConditions = { addresses: [], topics: [] }
    for (let length = 1; length < bytes.length; length += 1 + (length >> 4))
      expect(() => findLogs(bytes.slice(0, length), everything), `${length} bytes`).toThrow('damaged')
    const [first] = blocks.filter((block) => block.receipts.length > 0)
    store.write((txn) =>
      txn.put(receipts, { number: Number(first!.header.number), hash: first!.hash }, bytes.slice(0, 9)),
    )
    const query = { fromBlock: 0n, toBlock: 19n, ...everything }
    expect(() => readView(store, (view) => [...view.logs(query)])).toThrow('damaged')
  }))
