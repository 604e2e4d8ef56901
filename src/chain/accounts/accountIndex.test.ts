import { afterEach, describe, expect, test } from 'vitest'
import { createRandom } from '../../../test/fuzz/random.ts'
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
import { fromHex, hexToAddress } from '../../primitives/hex.ts'
import { privateKeyToAddress } from '../../primitives/secp256k1.ts'
import { accountBlocks, accountRows } from '../../store/chainTables.ts'
import { createLoggers } from '../../system/logger.ts'
import { createdAddress } from '../../types/createdAddress.ts'
import { startIndexer } from '../blockIndex/indexer.ts'
import { verifyAccounts } from '../verify/verifyAccounts.ts'
import { accountIndex } from './accountIndex.ts'

const { mergeWaiting } = accountIndex
const { maxWaiting } = accountIndex.kind

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
const blocks = [
  [devTx(0n, { data: token })],
  [devTx(1n, { to: alice, value: 1n }), devTx(2n, { to: alice, value: 1n })],
  [devTx(3n, { to: tokenAddress, data: paddedBob }), devTx(4n, { to: alice })],
  [],
]

/** Makes the blocks; after those in `merges` the accounts of all blocks so far get their rows. */
function makeBlocks({ chain, store }: TestChain, merges: readonly number[] = []): void {
  for (const [i, txs] of blocks.entries()) {
    makeBlock(chain, txs)
    if (merges.includes(i + 1)) store.write(mergeWaiting)
  }
}

function find(
  { chain }: TestChain,
  address: Address,
  order: 'ascending' | 'descending' = 'ascending',
  from = order === 'ascending' ? 0n : 1000n,
) {
  return chain.read((view) =>
    [...view.appearances(address, from, order)].map(({ blockNumber, indexes }) => [Number(blockNumber), ...indexes]),
  )
}

/** All that the index says, and how many rows it has. */
const contentOf = (node: TestChain) => ({
  found: [sender, alice, bob, tokenAddress].map((address) => find(node, address)),
  rows: node.store.read((reader) => [...reader.range(accountRows, {}), ...reader.range(accountBlocks, {})].length),
})
const rangeOf = ({ chain }: TestChain) => chain.read((view) => view.accountIndex)

/** Lets the indexer do all that it has to do; returns what it logs. */
function runIndexer({ store }: TestChain): string[] {
  const clock = createManualClock(0)
  const lines: string[] = []
  const log = createLoggers({ level: 'info', pretty: false, color: false, write: (line) => lines.push(line) })
  const { stop } = startIndexer({ store, clock, log }, [accountIndex])
  clock.run(60_000)
  stop()
  return lines.map((line) => (JSON.parse(line) as { msg: string }).msg)
}

/** After which blocks rows are made. */
const mergeCases: readonly (readonly number[])[] = [[], [4], [2], [1, 2, 3, 4]]

describe.each(mergeCases.map((merges) => ({ merges })))('rows are made after blocks $merges', ({ merges }) => {
  test('accounts are found as senders, recipients, created contracts and parties of token transfers', () => {
    const node = start()
    makeBlocks(node, merges)
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
    makeBlocks(node, merges)
    node.chain.setHead(1n)
    expect(contentOf(node)).toEqual({ found: [[[1, 0]], [], [], [[1, 0]]], rows: merges.length > 0 ? 2 : 1 })
    expect(rangeOf(node)).toEqual({ first: 0, last: 1 })
    makeBlock(node.chain, [devTx(1n, { to: bob })])
    expect(find(node, bob)).toEqual([[2, 0]])
    expect(find(node, alice)).toEqual([])
  })

  test('a search may begin in the middle of the chain', () => {
    const node = start()
    makeBlocks(node, merges)
    expect(find(node, sender, 'ascending', 2n).map(([block]) => block)).toEqual([2, 3])
    expect(find(node, sender, 'descending', 2n).map(([block]) => block)).toEqual([2, 1])
    expect(find(node, alice, 'ascending', 3n)).toEqual([[3, 1]])
    expect(find(node, bob, 'descending', 2n)).toEqual([])
  })
})

test('rows are made once many blocks wait', () => {
  const node = start()
  makeBlocks(node)
  for (let i = blocks.length; i < maxWaiting.live.blocks; i++) makeBlock(node.chain)
  makeBlock(node.chain, [devTx(5n, { to: bob })])
  expect(node.store.read((reader) => [...reader.range(accountBlocks, {})].map(([number]) => number))).toEqual([
    maxWaiting.live.blocks + 1,
  ])
  expect(find(node, bob)).toEqual([
    [3, 0],
    [maxWaiting.live.blocks + 1, 0],
  ])
  expect(rangeOf(node)).toEqual({ first: 0, last: maxWaiting.live.blocks + 1 })
})

test('blocks that come and go in any order leave the index that they call for', () => {
  const node = start()
  const random = createRandom(11)
  const nonces = [0n]
  for (let step = 0; step < 120; step++) {
    const head = Number(node.chain.head().header.number)
    if (random.below(8) === 0) node.chain.setHead(BigInt(Math.max(0, head - random.below(12))))
    if (random.below(6) === 0) node.store.write(mergeWaiting)
    const number = Number(node.chain.head().header.number)
    const count = random.below(4)
    const txs = Array.from({ length: count }, (_, i) =>
      devTx(nonces[number]! + BigInt(i), { to: [alice, bob, sender, tokenAddress][random.below(4)]! }),
    )
    makeBlock(node.chain, txs)
    nonces[number + 1] = nonces[number]! + BigInt(count)
  }
  const faults: string[] = []
  const report = { fault: (_: string, problem: string) => void faults.push(problem), progress() {} }
  const head = Number(node.chain.head().header.number)
  node.store.read((reader) => verifyAccounts(reader, head, report))
  expect(faults).toEqual([])
  expect(rangeOf(node)).toEqual({ first: 0, last: head })
})

test('nothing is indexed while that is off', () => {
  const node = start(false)
  makeBlocks(node)
  expect(contentOf(node)).toEqual({ found: [[], [], [], []], rows: 0 })
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
  expect(contentOf(node).found).toEqual(contentOf(whole).found)
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
  expect(contentOf(node)).toEqual({ found: [[], [], [], []], rows: 0 })
  expect(rangeOf(node)).toEqual({ first: 2, last: 1 })
  makeBlock(node.chain, [devTx(1n, { to: bob })])
  runIndexer(node)
  expect(rangeOf(node)).toEqual({ first: 0, last: 2 })
  expect(find(node, tokenAddress)).toEqual([[1, 0]])
})
