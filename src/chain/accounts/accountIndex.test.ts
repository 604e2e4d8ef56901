import { afterEach, expect, test } from 'vitest'
import { createManualClock } from '../../../test/support/manualClock.ts'
import {
  devKey,
  devSpec,
  devTx,
  makeBlock,
  openTestChain,
  removeFolder,
  type TestChain,
} from '../../../test/support/testChain.ts'
import type { Address } from '../../primitives/bytes.ts'
import { fromHex, hexToAddress, toHex } from '../../primitives/hex.ts'
import { createLoggers } from '../../primitives/logger.ts'
import { privateKeyToAddress } from '../../primitives/secp256k1.ts'
import { accountIndex } from '../../store/chainTables.ts'
import { createdAddress } from '../../types/createdAddress.ts'
import { startAccountIndexer } from './accountIndexer.ts'

const open: TestChain[] = []
afterEach(async () => {
  for (const node of open.splice(0)) {
    await node.close()
    removeFolder(node.path)
  }
})

function start(indexAccounts = true, path?: string): TestChain {
  const node = openTestChain(devSpec, path, (parts) => ({ ...parts, indexAccounts }))
  open.push(node)
  return node
}

/** Opens the chain of a node again. */
async function restart(node: TestChain, indexAccounts: boolean): Promise<TestChain> {
  open.splice(open.indexOf(node), 1)
  await node.close()
  return start(indexAccounts, node.path)
}

const sender = privateKeyToAddress(devKey)
const alice = hexToAddress('a11ce00000000000000000000000000000000000')
const bob = hexToAddress('b0b0000000000000000000000000000000000000')
/** Init code of a contract that logs an ERC-20 transfer from its caller to the account in its call data. */
const token = fromHex(
  `602b600c600039602b6000f3${'600035'}33${'7fddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'}60006000a300`,
)
const tokenAddress = createdAddress(devTx(0n, { data: token }))!
const paddedBob = new Uint8Array([...new Uint8Array(12), ...bob])

/** Blocks 1 to 4: the token; ether for Alice, twice; a token transfer to Bob and ether for Alice; nothing. */
function makeBlocks({ chain }: TestChain): void {
  makeBlock(chain, [devTx(0n, { data: token })])
  makeBlock(chain, [devTx(1n, { to: alice, value: 1n }), devTx(2n, { to: alice, value: 1n })])
  makeBlock(chain, [devTx(3n, { to: tokenAddress, data: paddedBob }), devTx(4n, { to: alice })])
  makeBlock(chain)
}

function find({ chain }: TestChain, address: Address, order: 'ascending' | 'descending' = 'ascending') {
  const from = order === 'ascending' ? 0n : 100n
  return chain.read((view) =>
    [...view.appearances(address, from, order)].map(({ blockNumber, indexes }) => [Number(blockNumber), ...indexes]),
  )
}

const rowsOf = ({ store }: TestChain) =>
  store.read((reader) =>
    [...reader.range(accountIndex, {})].map(([{ address, number }, indexes]) => [toHex(address), number, ...indexes]),
  )
const rangeOf = ({ chain }: TestChain) => chain.read((view) => view.accountIndex)

/** Lets the indexer do all that it has to do; returns what it logs. */
function runIndexer({ store }: TestChain): string[] {
  const clock = createManualClock(0)
  const lines: string[] = []
  const log = createLoggers({ level: 'info', pretty: false, color: false, write: (line) => lines.push(line) })
  const { stop } = startAccountIndexer({ store, clock, log })
  clock.run(60_000)
  stop()
  return lines.map((line) => (JSON.parse(line) as { msg: string }).msg)
}

test('accounts are found as senders, recipients, created contracts and parties of token transfers', () => {
  const node = start()
  makeBlocks(node)
  expect(find(node, sender)).toEqual([
    [1, 0],
    [2, 0, 1],
    [3, 0, 1],
  ])
  expect(find(node, sender, 'descending').map(([block]) => block)).toEqual([3, 2, 1])
  expect(find(node, alice)).toEqual([
    [2, 0, 1],
    [3, 1],
  ])
  expect(find(node, tokenAddress)).toEqual([
    [1, 0],
    [3, 0],
  ])
  expect(find(node, bob)).toEqual([[3, 0]])
  expect(rangeOf(node)).toEqual({ first: 0, last: 4 })
})

test('blocks that are taken off leave nothing behind', () => {
  const node = start()
  makeBlocks(node)
  const before = rowsOf(node).filter(([, number]) => Number(number) <= 1)
  node.chain.setHead(1n)
  expect(rowsOf(node)).toEqual(before)
  expect(rangeOf(node)).toEqual({ first: 0, last: 1 })
  makeBlock(node.chain, [devTx(1n, { to: bob })])
  expect(find(node, bob)).toEqual([[2, 0]])
  expect(find(node, alice)).toEqual([])
})

test('nothing is indexed while that is off', () => {
  const node = start(false)
  makeBlocks(node)
  expect(rowsOf(node)).toEqual([])
  expect(rangeOf(node)).toBeUndefined()
})

test('old blocks are indexed in the background, new ones at once', async () => {
  const whole = start()
  makeBlocks(whole)
  makeBlock(whole.chain, [devTx(5n, { to: bob })])
  const off = start(false)
  makeBlocks(off)
  const node = await restart(off, true)
  expect(rangeOf(node)).toEqual({ first: 5, last: 4 })
  makeBlock(node.chain, [devTx(5n, { to: bob })])
  expect(find(node, bob)).toEqual([[5, 0]])
  expect(rangeOf(node)).toEqual({ first: 5, last: 5 })
  expect(runIndexer(node)).toEqual([
    'indexing accounts: blocks 5 to 5 of 5 are indexed',
    'accounts of all blocks are indexed',
  ])
  expect(rangeOf(node)).toEqual({ first: 0, last: 5 })
  expect(rowsOf(node)).toEqual(rowsOf(whole))
  expect(runIndexer(node)).toEqual([])
})

test('what was missed while it was off is made up for, and blocks can be taken off meanwhile', async () => {
  const first = start()
  makeBlocks(first)
  const off = await restart(first, false)
  makeBlock(off.chain, [devTx(5n, { to: bob })])
  expect(rangeOf(off)).toEqual({ first: 0, last: 4 })
  off.chain.setHead(2n)
  expect(rangeOf(off)).toEqual({ first: 0, last: 2 })
  expect(find(off, bob)).toEqual([])
  makeBlock(off.chain, [devTx(3n, { to: bob })])
  makeBlock(off.chain, [devTx(4n, { to: bob })])
  const node = await restart(off, true)
  makeBlock(node.chain, [devTx(5n, { to: bob })])
  expect(rangeOf(node)).toEqual({ first: 0, last: 2 })
  runIndexer(node)
  expect(rangeOf(node)).toEqual({ first: 0, last: 5 })
  expect(find(node, bob)).toEqual([
    [3, 0],
    [4, 0],
    [5, 0],
  ])
})

test('an index of later blocks only goes when they go', async () => {
  const off = start(false)
  makeBlocks(off)
  const node = await restart(off, true)
  makeBlock(node.chain, [devTx(5n, { to: bob })])
  node.chain.setHead(1n)
  expect(rowsOf(node)).toEqual([])
  expect(rangeOf(node)).toEqual({ first: 2, last: 1 })
  makeBlock(node.chain, [devTx(1n, { to: bob })])
  runIndexer(node)
  expect(rangeOf(node)).toEqual({ first: 0, last: 2 })
  expect(find(node, tokenAddress)).toEqual([[1, 0]])
})
