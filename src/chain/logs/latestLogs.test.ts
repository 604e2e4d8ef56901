import { afterAll, beforeAll, expect, test } from 'vitest'
import { accountOf, anyLogsCode, erc20Transfer, erc721Transfer, inputOfLogs } from '../../../test/support/anyLogs.ts'
import {
  devSpec,
  devTx,
  makeBlock,
  openTestChain,
  removeFolder,
  type TestChain,
} from '../../../test/support/testChain.ts'
import { createdAddress } from '../../types/createdAddress.ts'
import { transferTopic } from '../tokens/tokenEvents.ts'
import type { LogConditions } from '../view.ts'

const emitter = createdAddress(devTx(0n, { data: anyLogsCode }))!
const logs = [erc20Transfer(accountOf(1), accountOf(2), 3n), erc721Transfer(accountOf(2), accountOf(1), 4n)]
/** Blocks with logs, on both sides of the first piece that is looked through. */
const withLogs = new Set([2, 3, 9, 14, 263, 270])
const last = 272

let indexed: TestChain
let bloomed: TestChain

beforeAll(() => {
  const nodes = [true, false].map((indexLogs) =>
    openTestChain(devSpec, undefined, (parts) => ({ ...parts, indexLogs })),
  )
  indexed = nodes[0]!
  bloomed = nodes[1]!
  for (const { chain } of nodes) {
    makeBlock(chain, [devTx(0n, { data: anyLogsCode })])
    let nonce = 1n
    for (let number = 2; number <= last; number++)
      makeBlock(chain, withLogs.has(number) ? [devTx(nonce++, { to: emitter, data: inputOfLogs(logs) })] : [])
  }
})
afterAll(async () => {
  for (const node of [indexed, bloomed]) {
    await node.close()
    removeFolder(node.path)
  }
})

const all: LogConditions = { addresses: [emitter], topics: [] }
const items: LogConditions = { addresses: [], topics: [[transferTopic], [], [], []] }

/** Block and place of each log that is found. */
const find = ({ chain }: TestChain, anyOf: readonly LogConditions[], from: number) =>
  chain.read((view) =>
    [...view.latestLogs(anyOf, BigInt(from))].flatMap((found) =>
      found.logs.map(({ blockNumber, logIndex }) => [Number(blockNumber), logIndex]),
    ),
  )

const wanted = (from: number, places: readonly number[]) =>
  [...withLogs]
    .filter((number) => number <= from)
    .sort((a, b) => b - a)
    .flatMap((number) => places.map((place) => [number, place]))

test.each([last, 1000, 270, 269, 263, 14, 3, 1])('logs from block %i downwards, the last first', (from) => {
  for (const node of [indexed, bloomed]) {
    expect(find(node, [all], from)).toEqual(wanted(from, [1, 0]))
    expect(find(node, [items], from)).toEqual(wanted(from, [1]))
  }
})

test('a log that several conditions match is found once', () => {
  expect(find(indexed, [items, all, items], last)).toEqual(wanted(last, [1, 0]))
})
