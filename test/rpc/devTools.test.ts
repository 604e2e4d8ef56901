import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { type DevNode, richKey, signed, startDevNode } from '../support/devNode.ts'

const stops: (() => unknown)[] = []
const groups = 'ETH,DEBUG,TRACE,TXPOOL,EVM,ANVIL,HARDHAT'

async function start(options: Readonly<Record<string, string>> = {}): Promise<DevNode> {
  const node = await startDevNode({ 'rpc-http-api': groups, ...options })
  stops.push(node.stop)
  return node
}

afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop()
})

const someone = `0x${'5e'.repeat(20)}`
const contract = `0x${'c0'.repeat(20)}`
/** Stores the value of the call in slot 0. */
const storeValue = '0x34600055'

function transfer(nonce: bigint) {
  const fees = { maxFee: 10n ** 9n, maxPriorityFee: 10n ** 9n, accessList: [] }
  const fields = { chainId: 1337n, nonce, to: undefined, value: 0n, data: new Uint8Array(1), gasLimit: 100_000n }
  return signed({ type: 2, ...fields, ...fees }, richKey)
}

const number = async (node: DevNode) => Number(await node.call<string>('eth_blockNumber'))

test('a transaction is in a block when the answer comes', async () => {
  const node = await start()
  const { raw, hash } = transfer(0n)
  expect(await node.call('eth_sendRawTransaction', [raw])).toBe(hash)
  expect(await node.call('eth_getTransactionReceipt', [hash])).toMatchObject({ status: '0x1' })
})

test('edits and senders that nobody signed for are the same in traces, after a replay and after a restart', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'quoin-edits-'))
  stops.push(() => rmSync(folder, { recursive: true, force: true }))
  const first = await startDevNode({ 'rpc-http-api': groups, 'data-path': folder })
  await first.call('hardhat_setBalance', [someone, '0x64'])
  await first.call('hardhat_setCode', [contract, storeValue])
  await first.call('anvil_setStorageAt', [contract, '0x1', `0x${'7'.padStart(64, '0')}`])
  await first.call('hardhat_impersonateAccount', [someone])
  const hash = await first.call<string>('eth_sendTransaction', [{ from: someone, to: contract, value: '0x5' }])
  const look = async (node: DevNode) => ({
    receipt: await node.call('eth_getTransactionReceipt', [hash]),
    transaction: await node.call('eth_getTransactionByHash', [hash]),
    block: await node.call('debug_traceBlockByNumber', ['latest', { tracer: 'prestateTracer' }]),
    trace: await node.call('trace_transaction', [hash]),
    replay: await node.call('debug_replayBlock', ['0x4']),
    slots: await Promise.all(['0x0', '0x1'].map((slot) => node.call('eth_getStorageAt', [contract, slot, 'latest']))),
    balance: await node.call('eth_getBalance', [someone, 'latest']),
  })
  const seen = await look(first)
  expect(seen.receipt).toMatchObject({ from: someone, status: '0x1' })
  expect(seen.transaction).toMatchObject({ from: someone })
  expect(seen.slots.map(Number)).toEqual([5, 7])
  expect(seen.balance).toBe('0x5f')
  await first.stop()
  const second = await start({ 'data-path': folder })
  expect(await look(second)).toEqual(seen)
  // Blocks that begin with edits can be run again.
  for (const block of ['0x3', '0x2', '0x1']) expect(await second.call('debug_replayBlock', [block])).toBe('Success')
  expect(await second.call('eth_getBalance', [someone, 'latest'])).toBe('0x64')
})

test('a contract can be impersonated', async () => {
  const node = await start()
  await node.call('hardhat_setCode', [contract, '0x00'])
  await node.call('hardhat_impersonateAccount', [contract])
  const hash = await node.call('eth_sendTransaction', [{ from: contract, to: someone }])
  expect(await node.call('eth_getTransactionReceipt', [hash])).toMatchObject({ from: contract, status: '0x1' })
})

test('a revert brings back the state, the time and the pool of the snapshot', async () => {
  const node = await start()
  await node.call('evm_setAutomine', [false])
  const [pending, later] = [transfer(0n), transfer(1n)]
  await node.call('eth_sendRawTransaction', [pending.raw])
  const id = await node.call<string>('evm_snapshot')
  await node.call('eth_sendRawTransaction', [later.raw])
  await node.call('evm_increaseTime', [100_000])
  await node.call('evm_mine')
  await node.call('hardhat_setBalance', [someone, '0x64'])
  expect(await number(node)).toBe(2)
  expect(await node.call('evm_revert', [id])).toBe(true)
  expect(await number(node)).toBe(0)
  expect(await node.call('eth_getBalance', [someone, 'latest'])).toBe('0x0')
  expect(
    Object.keys(await node.call<object>('txpool_content').then((all) => (all as { pending: object }).pending)),
  ).toHaveLength(1)
  expect(await node.call('eth_getTransactionByHash', [later.hash])).toBeNull()
  await node.call('evm_mine')
  const block = await node.call<{ timestamp: string; transactions: string[] }>('eth_getBlockByNumber', ['0x1', false])
  expect(block.transactions).toEqual([pending.hash])
  expect(Number(block.timestamp)).toBeLessThan(Date.now() / 1000 + 90_000)
  expect(await node.call('evm_revert', [id])).toBe(false)
})

test('an edit takes no time, and leaves the timestamp that is set for the next block', async () => {
  const node = await start()
  await node.call('evm_setNextBlockTimestamp', [4_000_000_000])
  await node.call('evm_mine')
  await node.call('evm_setNextBlockTimestamp', [4_000_000_001])
  await node.call('hardhat_setNonce', [someone, '0x9'])
  await node.call('evm_mine')
  const timestamps = await Promise.all(
    ['0x1', '0x2', '0x3'].map((block) => node.call<{ timestamp: string }>('eth_getBlockByNumber', [block, false])),
  )
  expect(timestamps.map(({ timestamp }) => Number(timestamp))).toEqual([4_000_000_000, 4_000_000_000, 4_000_000_001])
})

test('estimates, and calls on the pending block, are made in the next block', async () => {
  const node = await start()
  const time = 4_000_000_000
  // Stores 1 in slot 0 at that time only, which takes more gas than 0; returns the time and the number of the block.
  await node.call('hardhat_setCode', [contract, '0x4263ee6b2800145f55425f524360205260405ff3'])
  const now = await node.call<string>('eth_estimateGas', [{ to: contract }])
  await node.call('evm_setNextBlockTimestamp', [time])
  const then = await node.call<string>('eth_estimateGas', [{ to: contract }])
  expect(Number(then) - Number(now)).toBeGreaterThan(15_000)
  const seen = async (tag: string) => {
    const words = await node.call<string>('eth_call', [{ to: contract }, tag])
    return [Number(words.slice(0, 66)), Number(`0x${words.slice(66)}`)]
  }
  expect(await seen('pending')).toEqual([time, (await number(node)) + 1])
  expect((await seen('latest'))[1]).toBe(await number(node))
  const overrides = [{ to: contract }, 'latest', {}, { time: '0x5' }]
  expect(await node.call('eth_estimateGas', overrides)).toBe(now)
})
