import { afterEach, describe, expect, test } from 'vitest'
import { createManualClock, type ManualClock } from '../../../test/support/manualClock.ts'
import {
  devKey,
  devTx,
  makeBlock,
  openTestChain,
  removeFolder,
  type TestChain,
} from '../../../test/support/testChain.ts'
import type { Address, Hash32 } from '../../primitives/bytes.ts'
import { fromHex, toHex } from '../../primitives/hex.ts'
import { keccak256 } from '../../primitives/keccak.ts'
import { encodeRlp, scalar } from '../../primitives/rlp.ts'
import { privateKeyToAddress } from '../../primitives/secp256k1.ts'
import { bigIntToFixed } from '../../primitives/u256.ts'
import { logGaps, logIndex, receipts } from '../../store/chainTables.ts'
import type { Table } from '../../store/table.ts'
import { createLoggers } from '../../system/logger.ts'
import { createLogKeeper, type LogKeeper } from './logKeeper.ts'

const open: TestChain[] = []

afterEach(async () => {
  for (const node of open.splice(0)) {
    await node.close()
    removeFolder(node.path)
  }
})

interface Node extends TestChain {
  readonly clock: ManualClock
  readonly lines: string[]
  keep(automatic?: boolean): LogKeeper
}

function start(indexLogs = true): Node {
  const node = openTestChain(undefined, undefined, (parts) => ({ ...parts, indexLogs }))
  open.push(node)
  const clock = createManualClock(0)
  const lines: string[] = []
  const log = createLoggers({ level: 'info', pretty: false, color: false, write: (line) => lines.push(line) })
  const keep = (automatic = true) => createLogKeeper({ store: node.store, clock, log, automatic })
  return { ...node, clock, lines, keep }
}

/** Init code of a contract that logs with the first word of its call data as topic. */
const logger = fromHex('600a600c600039600a6000f3' + '60003560006000a100')
const topicOf = (n: number) => bigIntToFixed(BigInt(n), 32) as Hash32

/** Blocks 1 to 5: the contract, then a log with topic 2, 3, 2, 3. */
function makeLogs({ chain }: Node): void {
  makeBlock(chain, [devTx(0n, { data: logger })])
  const sender = privateKeyToAddress(devKey)
  const to = keccak256(encodeRlp([sender, scalar(0n)])).slice(12) as Uint8Array as Address
  for (let i = 0; i < 4; i++) makeBlock(chain, [devTx(BigInt(i + 1), { to, data: topicOf(2 + (i % 2)) })])
}

/** Blocks that have a log with the topic, as a query finds them. */
function blocksWith({ chain }: Node, topic: number): number[] {
  const query = { fromBlock: 0n, toBlock: 5n, addresses: [], topics: [[topicOf(topic)]] }
  return chain.read((view) => Array.from(view.logs(query), ({ blockNumber }) => Number(blockNumber)))
}

function count<K, V>({ store }: Node, table: Table<K, V>): number {
  return store.read((reader) => [...reader.range(table, {})].length)
}

function rows({ store }: Node): string[] {
  return store.read((reader) =>
    Array.from(reader.range(logIndex, {}), ([{ mark }, bits]) => `${toHex(mark)} ${toHex(bits)}`),
  )
}

function finish({ clock }: Node, keeper: LogKeeper): void {
  clock.runUntil(() => !keeper.status().indexing)
}

describe('the log index', () => {
  test('without it logs are found by blooms, and it comes back by itself', () => {
    const node = start()
    makeLogs(node)
    const before = rows(node)
    expect(before).toHaveLength(3)
    const keeper = node.keep()
    keeper.remove(0, 3)
    // A second wish of the kind joins the first; others have to wait.
    keeper.remove(2, 2)
    expect(keeper.generate(0, undefined)).toBe(false)
    expect(keeper.repair(5)).toBe(false)
    expect(blocksWith(node, 2)).toEqual([2, 4])
    finish(node, keeper)
    expect(rows(node)).toEqual([])
    expect(blocksWith(node, 3)).toEqual([3, 5])
    expect(count(node, logGaps)).toBe(1)
    const next = node.keep()
    finish(node, next)
    expect(rows(node)).toEqual(before)
    expect(count(node, logGaps)).toBe(0)
  })

  test.each(['generate', 'repair'] as const)('a removal ends a command that is under way: %s', (command) => {
    const node = start()
    makeLogs(node)
    const keeper = node.keep()
    expect(command === 'repair' ? keeper.repair(5) : keeper.generate(0, undefined)).toBe(true)
    keeper.remove(0, 5)
    expect(keeper.status()).toMatchObject({ startBlock: 0, endBlock: 5, indexing: true })
    finish(node, keeper)
    expect(rows(node)).toEqual([])
    expect(blocksWith(node, 2)).toEqual([2, 4])
    expect(node.lines.join()).toContain('log index command ended')
    expect(keeper.generate(0, undefined)).toBe(true)
  })

  test('blocks that are not indexed as they come are found, and indexed when asked', () => {
    const node = start(false)
    makeLogs(node)
    expect(rows(node)).toEqual([])
    expect(blocksWith(node, 2)).toEqual([2, 4])
    const keeper = node.keep(false)
    expect(keeper.status()).toEqual({ startBlock: 0, endBlock: 0, currentBlock: 0, indexing: false })
    expect(keeper.generate(4, undefined)).toBe(true)
    expect(keeper.status()).toMatchObject({ startBlock: 4, endBlock: undefined, indexing: true })
    finish(node, keeper)
    expect(keeper.status()).toMatchObject({ currentBlock: 5 })
    expect(rows(node)).toHaveLength(3)
    // Further blocks of the segment will not be indexed: it stays out of use.
    expect(count(node, logGaps)).toBe(1)
    expect(blocksWith(node, 2)).toEqual([2, 4])
  })

  test('a repair puts back what is missing and says so', () => {
    const node = start()
    makeLogs(node)
    const before = rows(node)
    node.store.write((txn) => {
      const [[key] = []] = txn.range(logIndex, { limit: 1 })
      txn.remove(logIndex, key!)
    })
    const keeper = node.keep()
    keeper.repair(5)
    finish(node, keeper)
    expect(rows(node)).toEqual(before)
    expect(node.lines.at(-1)).toMatch(/"mended":1,"removed":0/)
  })

  test('a repair removes rows that no block calls for, once their page is full', () => {
    const node = start()
    makeLogs(node)
    for (let i = 0; i < 255; i++) makeBlock(node.chain)
    const before = rows(node)
    const stray = { mark: new Uint8Array(10).fill(7), page: 0 }
    node.store.write((txn) => txn.put(logIndex, stray, new Uint8Array(32).fill(1)))
    const keeper = node.keep()
    keeper.repair(260)
    finish(node, keeper)
    expect(rows(node)).toEqual(before)
    expect(node.lines.at(-1)).toMatch(/"mended":0,"removed":1/)
  })

  test('a repair does not build on receipts that are not those of the header', () => {
    const node = start()
    makeLogs(node)
    node.store.write((txn) => {
      const [[key] = []] = txn.range(receipts, { limit: 1, reverse: true })
      txn.put(receipts, key!, encodeRlp([]))
    })
    const keeper = node.keep()
    keeper.repair(5)
    finish(node, keeper)
    expect(node.lines.at(-1)).toMatch(/the receipts of block 5/)
  })
})
