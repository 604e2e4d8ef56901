import { afterEach, expect, test } from 'vitest'
import type { Address } from '../../src/primitives/bytes.ts'
import { fromHex, hexToAddress, toHex } from '../../src/primitives/hex.ts'
import { keccak256 } from '../../src/primitives/keccak.ts'
import { encodeRlp, scalar } from '../../src/primitives/rlp.ts'
import { privateKeyToAddress } from '../../src/primitives/secp256k1.ts'
import { createEvms } from '../../src/query/evms.ts'
import { txHash } from '../../src/types/encodeTx.ts'
import { createMethodCaller } from '../support/methodCaller.ts'
import { devKey, devSpec, devTx, makeBlock, openTestChain, removeFolder, type TestChain } from '../support/testChain.ts'

const stops: (() => unknown)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop()
})

const ask = createMethodCaller(['OTS'])

function start(indexAccounts: boolean, keepRevertReasons = true) {
  const node = openTestChain(devSpec, undefined, (parts) => ({ ...parts, indexAccounts, keepRevertReasons }))
  stops.push(() => removeFolder(node.path), node.close)
  return { ...node, call: callOf(node) }
}

const callOf =
  ({ chain }: TestChain) =>
  async <T>(method: string, ...params: unknown[]): Promise<T> => {
    const view = chain.openView()
    const { result, error } = await ask({ chain: () => view, evms: createEvms({}) }, method, params)
    view.close()
    if (error) throw new Error(`${error.code} ${error.message}`)
    return result as T
  }

const creates = (creator: Address, nonce: bigint) =>
  keccak256(encodeRlp([creator, scalar(nonce)])).slice(12) as Uint8Array as Address
const sender = privateKeyToAddress(devKey)
const alice = hexToAddress('a11ce00000000000000000000000000000000000')
/** Init code of a contract that creates another one, whose code is one byte, whenever it is called. */
const factory = fromHex('6019600c60003960196000f36c6001600c60003960016000f300600052600d60136000f000')
/** Init code of a contract that reverts with one byte. */
const reverter = fromHex('6005600c60003960056000f360016000fd')
const hashOf = (tx: Parameters<typeof txHash>[0]) => toHex(txHash(tx))

test.each([true, false])('the creator of a contract that a contract created, index: %s', async (indexAccounts) => {
  const { chain, call } = start(indexAccounts)
  makeBlock(chain, [devTx(0n, { data: factory })])
  makeBlock(chain)
  const to = creates(sender, 0n)
  const creating = devTx(2n, { to })
  makeBlock(chain, [devTx(1n, { to: alice }), creating, devTx(3n, { to: alice })])
  makeBlock(chain)
  const child = creates(to, 1n)
  const found = await call('ots_getContractCreator', toHex(child))
  expect(found).toEqual({ hash: hashOf(creating), creator: toHex(to) })
  expect(await call('ots_getContractCreator', toHex(to))).toMatchObject({ creator: toHex(sender) })
  expect(await call('ots_hasCode', toHex(child), '0x2')).toBe(false)
  expect(await call('ots_hasCode', toHex(child), '0x3')).toBe(true)
  expect(await call('ots_getInternalOperations', hashOf(creating))).toEqual([
    { type: 2, from: toHex(to), to: toHex(child), value: '0x0' },
  ])
})

test('what a transaction reverted with, though it was not stored', async () => {
  const { chain, call } = start(false, false)
  const reverting = devTx(1n, { to: creates(sender, 0n) })
  makeBlock(chain, [devTx(0n, { data: reverter }), reverting])
  // The contract's code is five bytes long.
  expect(await call('ots_getTransactionError', hashOf(reverting))).toBe('0x00')
})

test('a transaction is found by its sender and nonce, no matter which block it is in', async () => {
  const { chain, call } = start(false)
  const txs = Array.from({ length: 9 }, (_, i) => devTx(BigInt(i), { to: alice }))
  for (let i = 0; i < 9; i += 3) {
    makeBlock(chain, txs.slice(i, i + 3))
    makeBlock(chain)
  }
  for (const tx of txs) {
    const found = await call('ots_getTransactionBySenderAndNonce', toHex(sender), Number(tx.nonce))
    expect(found).toBe(hashOf(tx))
  }
})

interface Page {
  readonly txs: readonly { readonly nonce: string }[]
  readonly firstPage: boolean
  readonly lastPage: boolean
}

/** Nonces of a page, and where it lies. */
const shown = ({ txs, firstPage, lastPage }: Page) => [txs.map(({ nonce }) => Number(nonce)), firstPage, lastPage]

test('pages lead from the newest transaction to the oldest and back', async () => {
  const { chain, call } = start(true)
  for (let i = 0; i < 4; i++)
    makeBlock(chain, [devTx(BigInt(2 * i), { to: alice }), devTx(BigInt(2 * i + 1), { to: alice })])
  const before = async (block: number, size: number) =>
    shown(await call<Page>('ots_searchTransactionsBefore', toHex(alice), block, size))
  const after = async (block: number, size: number) =>
    shown(await call<Page>('ots_searchTransactionsAfter', toHex(alice), block, size))
  expect(await before(0, 3)).toEqual([[7, 6, 5, 4], true, false])
  expect(await before(3, 3)).toEqual([[3, 2, 1, 0], false, true])
  expect(await before(0, 8)).toEqual([[7, 6, 5, 4, 3, 2, 1, 0], true, true])
  expect(await after(0, 3)).toEqual([[3, 2, 1, 0], false, true])
  expect(await after(2, 3)).toEqual([[7, 6, 5, 4], true, false])
  expect(await after(4, 3)).toEqual([[], true, false])
})

test('pages that blocks without index would belong to are refused', async () => {
  const off = start(false)
  for (let i = 0; i < 3; i++) makeBlock(off.chain, [devTx(BigInt(i), { to: alice })])
  const refusal = '-32000 The index of accounts is not complete: '
  await expect(off.call('ots_searchTransactionsBefore', toHex(alice), 0, 1)).rejects.toThrow(
    `${refusal}accounts are not indexed`,
  )
  await stops.pop()!()
  const node = openTestChain(devSpec, off.path, (parts) => ({ ...parts, indexAccounts: true }))
  stops.push(node.close)
  makeBlock(node.chain, [devTx(3n, { to: alice })])
  makeBlock(node.chain, [devTx(4n, { to: alice })])
  const call = callOf(node)
  expect(shown(await call<Page>('ots_searchTransactionsBefore', toHex(alice), 0, 1))).toEqual([[4], true, false])
  for (const [method, block, size] of [
    ['Before', 0, 3],
    ['Before', 3, 1],
    ['After', 0, 1],
  ] as const)
    await expect(call(`ots_searchTransactions${method}`, toHex(alice), block, size)).rejects.toThrow(
      `${refusal}it has blocks 4 to 5 of 5 so far`,
    )
  expect(shown(await call<Page>('ots_searchTransactionsAfter', toHex(alice), 4, 9))).toEqual([[4], true, false])
})
