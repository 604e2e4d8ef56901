import { afterEach, describe, expect, test } from 'vitest'
import {
  type AnyLog,
  accountOf,
  anyLogsCode,
  batchTransfer,
  erc20Transfer,
  erc721Transfer,
  inputOfLogs,
  singleTransfer,
} from '../../../test/support/anyLogs.ts'
import { createManualClock } from '../../../test/support/manualClock.ts'
import { createSilentLogs } from '../../../test/support/silentLogs.ts'
import {
  devSpec,
  devTx,
  makeBlock,
  openTestChain,
  removeFolder,
  type TestChain,
} from '../../../test/support/testChain.ts'
import { type Address, zeroAddress } from '../../primitives/bytes.ts'
import { bytesToBigInt, maxU256 } from '../../primitives/u256.ts'
import { tokenTables } from '../../store/tokenTables.ts'
import { createdAddress } from '../../types/createdAddress.ts'
import { startIndexer } from '../blockIndex/indexer.ts'
import { writeIndexTip } from '../records.ts'
import { verifyTokens } from '../verify/verifyTokens.ts'
import { tokenKinds } from './tokenEvents.ts'
import { tokenIndex } from './tokenIndex.ts'
import type { TokenView } from './tokenView.ts'

const { erc20, erc721, erc1155 } = tokenKinds
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

async function restart(node: TestChain, indexAccounts: boolean): Promise<TestChain> {
  open.splice(open.indexOf(node), 1)
  await node.close()
  return start(indexAccounts, node.path)
}

const token = createdAddress(devTx(0n, { data: anyLogsCode }))!
const [alice, bob, carol] = [accountOf(0xa11ce), accountOf(0xb0b), accountOf(0xca401)]

const emit = (nonce: bigint, logs: readonly AnyLog[]) =>
  devTx(nonce, { to: token, data: inputOfLogs(logs), gasLimit: 5_000_000n })

/** Block 1 is the contract; each further one has the logs of a list. */
function makeLogs({ chain, store }: TestChain, merges: boolean, ...blocks: readonly (readonly AnyLog[])[]): void {
  if (chain.head().header.number === 0n) makeBlock(chain, [devTx(0n, { data: anyLogsCode })])
  for (const logs of blocks) makeBlock(chain, [emit(chain.head().header.number, logs)])
  if (merges) store.write(tokenIndex.mergeWaiting)
}

const ask = <T>({ chain }: TestChain, question: (tokens: TokenView) => T): T =>
  chain.read(({ tokens }) => question(tokens))
const short = (address: Address) => Number(bytesToBigInt(address))
const holders = (node: TestChain, kind: 0 | 1 | 2, of = token) =>
  ask(node, (tokens) =>
    Array.from(tokens.holders({ address: of, kind }), ({ holder, balance }) => [short(holder), balance]),
  )
const balances = (node: TestChain, account: Address) =>
  ask(node, (tokens) => Array.from(tokens.balances(account), ({ kind, balance }) => [kind, balance]))
const items = (node: TestChain, account: Address, kind: 1 | 2) =>
  ask(node, (tokens) =>
    Array.from(tokens.items(account, { address: token, kind }), ({ item, amount }) => [item, amount]),
  )
const summaries = (node: TestChain) => ask(node, (tokens) => tokens.summaries(token))

function faultsOf({ chain, store }: TestChain): string[] {
  const faults: string[] = []
  const report = { fault: (table: string, text: string) => void faults.push(`${table}: ${text}`), progress() {} }
  store.read((reader) => verifyTokens(reader, Number(chain.head().header.number), report))
  return faults
}

/** All rows, as they are when no block waits. */
function rowsOf({ store }: TestChain): readonly (readonly [string, number, string])[] {
  store.write(tokenIndex.mergeWaiting)
  return store.read((reader) =>
    tokenTables.flatMap((table) =>
      Array.from(reader.range(table as never, {}), ([key, value]) => [table.name, key, value] as never),
    ),
  )
}

function runIndexer({ store }: TestChain): void {
  const clock = createManualClock(0)
  const { stop } = startIndexer({ store, clock, log: createSilentLogs() }, [tokenIndex])
  clock.run(60_000)
  stop()
}

describe.each([{ merges: false }, { merges: true }])('blocks are merged: $merges', ({ merges }) => {
  test('balances, holders and supply of ERC-20', () => {
    const node = start()
    makeLogs(
      node,
      merges,
      [erc20Transfer(zeroAddress, alice, 1000n), erc20Transfer(alice, bob, 300n)],
      [erc20Transfer(alice, carol, 700n), erc20Transfer(carol, zeroAddress, 100n), erc20Transfer(bob, bob, 5n)],
    )
    expect(holders(node, erc20)).toEqual([
      [short(carol), 600n],
      [short(bob), 300n],
    ])
    expect(balances(node, bob)).toEqual([[erc20, 300n]])
    expect(balances(node, alice)).toEqual([])
    expect(summaries(node)).toEqual([
      { address: token, kind: erc20, transfers: 5, holders: 2, overdrawn: 0, supply: 900n },
    ])
    expect(faultsOf(node)).toEqual([])
  })

  test('items of ERC-721 and ERC-1155, beside each other in one contract', () => {
    const node = start()
    makeLogs(
      node,
      merges,
      [erc721Transfer(zeroAddress, alice, 1n), erc721Transfer(zeroAddress, alice, maxU256)],
      [erc721Transfer(alice, bob, 1n), singleTransfer(zeroAddress, alice, 7n, 10n)],
      [
        batchTransfer(alice, bob, [
          [7n, 4n],
          [7n, 1n],
          [8n, 2n],
        ]),
      ],
    )
    expect(items(node, alice, erc721)).toEqual([[maxU256, 1n]])
    expect(items(node, bob, erc721)).toEqual([[1n, 1n]])
    expect(items(node, alice, erc1155)).toEqual([
      [7n, 5n],
      [8n, -2n],
    ])
    expect(items(node, bob, erc1155)).toEqual([
      [7n, 5n],
      [8n, 2n],
    ])
    expect(holders(node, erc721)).toEqual(
      [
        [short(bob), 1n],
        [short(alice), 1n],
      ].sort((a, b) => Number(a[0]) - Number(b[0])),
    )
    expect(balances(node, alice)).toEqual([
      [erc721, 1n],
      [erc1155, 3n],
    ])
    expect(summaries(node).map(({ kind, transfers, supply }) => [kind, transfers, supply])).toEqual([
      [erc721, 3, 2n],
      [erc1155, 4, 10n],
    ])
    expect(faultsOf(node)).toEqual([])
  })

  test('events that cannot be true are counted as they are, and taken back', () => {
    const node = start()
    const before = rowsOf(node)
    makeLogs(
      node,
      merges,
      Array.from({ length: 3 }, () => erc20Transfer(alice, bob, maxU256)),
      [erc721Transfer(alice, bob, 1n), erc721Transfer(carol, bob, 1n), erc20Transfer(bob, zeroAddress, 5n)],
    )
    expect(holders(node, erc20)).toEqual([[short(bob), 3n * maxU256 - 5n]])
    expect(balances(node, alice)).toEqual([
      [erc20, -3n * maxU256],
      [erc721, -1n],
    ])
    expect(items(node, bob, erc721)).toEqual([[1n, 2n]])
    expect(summaries(node).map(({ overdrawn, supply }) => [overdrawn, supply])).toEqual([
      [1, -5n],
      [2, 0n],
    ])
    expect(faultsOf(node)).toEqual([])
    node.chain.setHead(0n)
    expect(rowsOf(node)).toEqual(before)
  })

  test('lists go on behind any of their entries', () => {
    const node = start()
    const amounts = [5n, 300n, 300n, 70_000n, 1n << 200n, 255n, 256n]
    makeLogs(
      node,
      merges,
      amounts.map((amount, i) => erc20Transfer(zeroAddress, accountOf(0x100 + i), amount)),
    )
    const token20 = { address: token, kind: erc20 }
    const all = ask(node, (tokens) => [...tokens.holders(token20)])
    expect(all.map(({ balance }) => balance)).toEqual([1n << 200n, 70_000n, 300n, 300n, 256n, 255n, 5n])
    for (const [i, after] of all.entries())
      expect(ask(node, (tokens) => [...tokens.holders(token20, after)])).toEqual(all.slice(i + 1))
    makeLogs(node, merges, [erc721Transfer(zeroAddress, alice, 1n), erc721Transfer(zeroAddress, alice, 9n)])
    const ranked = ask(node, (tokens) => [...tokens.ranked()])
    expect(ranked.map(({ kind, transfers }) => [kind, transfers])).toEqual([
      [erc20, 7],
      [erc721, 2],
    ])
    expect(ask(node, (tokens) => [...tokens.ranked(ranked[0])])).toEqual(ranked.slice(1))
    const token721 = { address: token, kind: erc721 }
    expect(ask(node, (tokens) => [...tokens.items(alice, token721, 1n)])).toEqual([{ item: 9n, amount: 1n }])
  })

  test('blocks that are taken off leave nothing behind', () => {
    const node = start()
    makeLogs(node, merges, [erc20Transfer(zeroAddress, alice, 1000n), erc721Transfer(zeroAddress, bob, 3n)])
    const wanted = rowsOf(node)
    makeLogs(
      node,
      merges,
      [erc20Transfer(alice, bob, 1000n), erc721Transfer(bob, alice, 3n)],
      [batchTransfer(bob, alice, [[1n, 1n]]), erc20Transfer(bob, carol, 1n)],
    )
    node.chain.setHead(2n)
    expect(rowsOf(node)).toEqual(wanted)
    expect(faultsOf(node)).toEqual([])
  })
})

test('a block with more transfers than are held at once', () => {
  const node = start()
  const many = Array.from({ length: 2000 }, (_, i) => [BigInt(i), 2n] as const)
  makeLogs(node, false)
  const txs = Array.from({ length: 8 }, (_, i) =>
    devTx(BigInt(1 + i), {
      to: token,
      data: inputOfLogs([batchTransfer(zeroAddress, accountOf(0x1000 + i), many)]),
      gasLimit: 3_500_000n,
    }),
  )
  makeBlock(node.chain, txs)
  expect(ask(node, ({ range }) => range)).toEqual({ first: 0, last: 2 })
  expect(summaries(node)[0]).toMatchObject({ transfers: 16_000, holders: 8, supply: 32_000n })
  expect(holders(node, erc1155)[7]).toEqual([0x1007, 4000n])
  expect(faultsOf(node)).toEqual([])
  node.chain.setHead(1n)
  expect(rowsOf(node).map(([name]) => name)).toEqual(['tokenBlockRange'])
})

test('nothing is indexed while that is off; old blocks are indexed in the background', async () => {
  const logs = [
    [erc20Transfer(zeroAddress, alice, 1000n)],
    [erc20Transfer(alice, bob, 10n)],
    [erc20Transfer(alice, bob, 10n)],
  ]
  const whole = start()
  makeLogs(whole, false, ...logs)
  const off = start(false)
  makeLogs(off, false, logs[0]!, logs[1]!)
  expect(ask(off, ({ range }) => range)).toBeUndefined()
  const node = await restart(off, true)
  makeLogs(node, false, logs[2]!)
  expect(ask(node, ({ range }) => range)).toEqual({ first: 4, last: 4 })
  expect(balances(node, alice)).toEqual([[erc20, -10n]])
  runIndexer(node)
  expect(ask(node, ({ range }) => range)).toEqual({ first: 0, last: 4 })
  expect(balances(node, alice)).toEqual([[erc20, 980n]])
  expect(rowsOf(node)).toEqual(rowsOf(whole))
})

/** Replaces all rows by others. */
function putRows({ store }: TestChain, rows: ReturnType<typeof rowsOf>): void {
  store.write((txn) => {
    for (const table of tokenTables)
      for (const [key] of [...txn.range(table as never, {})]) txn.remove(table as never, key)
    for (const [name, key, value] of rows)
      txn.put(tokenTables.find((table) => table.name === name) as never, key as never, value as never)
  })
}

test('an index of another branch, which a version left that did not know it, is made anew', async () => {
  const node = start()
  makeLogs(node, true, [erc20Transfer(zeroAddress, alice, 1000n)], [erc20Transfer(alice, bob, 10n)])
  const stale = { rows: rowsOf(node), tip: node.chain.head().hash }
  node.chain.setHead(2n)
  makeLogs(node, true, [erc20Transfer(alice, carol, 20n)])
  const wanted = rowsOf(node)
  putRows(node, stale.rows)
  node.store.write((txn) => writeIndexTip(txn, 'tokens', stale.tip))
  expect(faultsOf(node)).not.toEqual([])
  const again = await restart(node, true)
  expect(ask(again, ({ range }) => range)).toEqual({ first: 4, last: 3 })
  runIndexer(again)
  expect(rowsOf(again)).toEqual(wanted)
  const sound = await restart(again, true)
  expect(ask(sound, ({ range }) => range)).toEqual({ first: 0, last: 3 })
})

test('verify names a balance, a place and a count that are not what the blocks call for', () => {
  const damage = (change: (node: TestChain) => void): string[] => {
    const node = start()
    makeLogs(node, true, [erc20Transfer(zeroAddress, alice, 1000n), erc721Transfer(zeroAddress, alice, 5n)])
    change(node)
    return faultsOf(node).map((fault) => fault.slice(0, fault.indexOf(':')))
  }
  const [tokens, ranks, balanceRows, itemRows, holderRows] = tokenTables
  const removeFirst = (table: (typeof tokenTables)[number]) =>
    damage(({ store }) =>
      store.write((txn) => {
        for (const [key] of txn.range(table as never, { limit: 1 })) txn.remove(table as never, key)
      }),
    )
  expect(damage(() => {})).toEqual([])
  expect(removeFirst(tokens)).toEqual(['tokens', 'tokenRanks', 'tokenHolders', 'tokenRanks', 'tokens'])
  expect(removeFirst(ranks)).toEqual(['tokenRanks'])
  expect(removeFirst(holderRows)).toEqual(['tokenHolders'])
  expect(removeFirst(itemRows)).toEqual(['tokenItems'])
  expect(removeFirst(balanceRows)).toEqual(['tokenBalances'])
  expect(
    damage(({ store }) =>
      store.write((txn) => {
        for (const [key] of txn.range(balanceRows, { limit: 1, reverse: true })) txn.put(balanceRows, key, 999n)
      }),
    ),
  ).toEqual(['tokenHolders', 'tokenBalances'])
})
