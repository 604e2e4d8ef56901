import { afterEach, describe, expect, test } from 'vitest'
import { createMainnetEngine } from '../../src/consensus/mainnet/mainnetEngine.ts'
import { createCurrentView } from '../../src/node/ports/currentView.ts'
import { createLoggingPort } from '../../src/node/ports/loggingPort.ts'
import { createOperatorPorts } from '../../src/node/ports/operatorPorts.ts'
import type { Address, Hash32 } from '../../src/primitives/bytes.ts'
import { zeroAddress } from '../../src/primitives/bytes.ts'
import { fromHex, toHex } from '../../src/primitives/hex.ts'
import { keccak256 } from '../../src/primitives/keccak.ts'
import { encodeRlp, scalar } from '../../src/primitives/rlp.ts'
import { privateKeyToAddress } from '../../src/primitives/secp256k1.ts'
import { bigIntToFixed } from '../../src/primitives/u256.ts'
import { createEvms } from '../../src/query/evms.ts'
import type { PoolPort, RpcPorts } from '../../src/rpc/protocol/context.ts'
import { createPublicState, type PublicState } from '../../src/state/publicState.ts'
import type { NetworkTx } from '../../src/types/blobSidecar.ts'
import { encodeTx, txHash } from '../../src/types/encodeTx.ts'
import { createManualClock } from '../support/manualClock.ts'
import { createMethodCaller } from '../support/methodCaller.ts'
import { createSilentLogs } from '../support/silentLogs.ts'
import { devKey, devTx, makeBlock, openTestChain, removeFolder } from '../support/testChain.ts'

const stops: (() => unknown)[] = []

afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop()
})

const word = (n: number) => bigIntToFixed(BigInt(n), 32) as Hash32
const words = (...numbers: number[]) => Buffer.concat(numbers.map(word))
const hashOf = (slot: number) => toHex(keccak256(word(slot)))
const sender = privateKeyToAddress(devKey)
const contract = keccak256(encodeRlp([sender, scalar(0n)])).slice(12) as Uint8Array as Address
/** Init code of a contract that stores the second word of its call data at the first. */
const storing = fromHex('6008600c60003960086000f3' + '6020356000355500')
const alice = `0x${'00'.repeat(19)}aa`

/** A chain whose methods are called without a server in between. */
function start() {
  let states!: PublicState
  const node = openTestChain(undefined, undefined, (parts) => ({
    ...parts,
    states: (states = createPublicState(parts.store)),
  }))
  const clock = createManualClock(0)
  const loggers = createSilentLogs()
  const { chain, store } = node
  const current = createCurrentView(chain, clock)
  const consensus = createMainnetEngine({ spec: chain.spec })
  const operator = createOperatorPorts({
    chain,
    store,
    states,
    consensus,
    address: zeroAddress,
    historyBlocks: 0,
    indexLogs: true,
    clock,
    log: loggers,
  })
  const submitted: NetworkTx[] = []
  const ports: RpcPorts = {
    ...operator.ports,
    chain: current.get,
    evms: createEvms(),
    logging: createLoggingPort(loggers),
    pool: {
      submit(tx) {
        submitted.push(tx)
        return submitted.length > 1 ? { code: 'TRANSACTION_REPLACEMENT_UNDERPRICED' } : undefined
      },
    } as Partial<PoolPort> as PoolPort,
  }
  const ask = createMethodCaller(['ADMIN', 'DEBUG', 'ETH'])
  stops.push(() => removeFolder(node.path), node.close, current.close, operator.stop)
  async function call(method: string, ...params: unknown[]): Promise<unknown> {
    const { result, error } = await ask(ports, method, params)
    return error ? `${error.code} ${error.message}` : result
  }
  return { chain, clock, call, submitted }
}

/** Blocks 1: the contract and its slots 1 to 3; block 2: slot 2 emptied, slot 4 filled, alice paid. */
function startWithStorage() {
  const node = start()
  const set = (nonce: bigint, slot: number, value: number) => devTx(nonce, { to: contract, data: words(slot, value) })
  makeBlock(node.chain, [devTx(0n, { data: storing }), set(1n, 1, 11), set(2n, 2, 12), set(3n, 3, 13)])
  const pay = devTx(6n, { to: fromHex(alice) as Address, value: 5n })
  makeBlock(node.chain, [set(4n, 2, 0), set(5n, 4, 14), pay])
  return node
}

describe('state inside a block', () => {
  const slots = (numbers: readonly number[]) =>
    Object.fromEntries(
      numbers
        .map((n) => [hashOf(n), { key: toHex(word(n)), value: toHex(word(10 + n)) }] as const)
        .sort(([a], [b]) => (a < b ? -1 : 1)),
    )
  const all = (block: unknown, index: number) => [block, index, toHex(contract), '0x0', 100]

  test('storage is that before the transaction', async () => {
    const { call } = startWithStorage()
    const range = (block: string, index: number) => call('debug_storageRangeAt', ...all(block, index))
    expect(await range('0x2', 0)).toEqual({ storage: slots([1, 2, 3]), complete: true })
    expect(await range('0x2', 1)).toEqual({ storage: slots([1, 3]), complete: true })
    expect(await range('0x2', 2)).toEqual({ storage: slots([1, 3, 4]), complete: true })
    expect(await range('0x1', 3)).toEqual({ storage: slots([1, 2]), complete: true })
    expect(await range('0x1', 0)).toEqual({ storage: {}, complete: true })
    // Behind the last transaction stands the state before the block.
    expect(await range('0x2', 3)).toEqual({ storage: slots([1, 2, 3]), complete: true })
  })

  test('a range is read on from where it ended', async () => {
    const { call } = startWithStorage()
    const order = [1, 3, 4].sort((a, b) => (hashOf(a) < hashOf(b) ? -1 : 1))
    let start = '0x0'
    for (const [i, slot] of order.entries()) {
      const last = i === order.length - 1
      const part = await call('debug_storageRangeAt', '0x2', 2, toHex(contract), start, 1)
      const next = last ? {} : { nextKey: hashOf(order[i + 1]!) }
      expect(part).toEqual({ storage: slots([slot]), ...next, complete: last })
      start = hashOf(order[i + 1] ?? 0)
    }
  })

  test('an account is that after the transaction', async () => {
    const { call } = startWithStorage()
    expect(await call('debug_accountAt', '0x2', 1, toHex(sender))).toMatchObject({ nonce: '0x6', code: '0x0' })
    expect(await call('debug_accountAt', '0x2', 2, alice)).toMatchObject({ balance: '0x5', nonce: '0x0' })
    expect(await call('debug_accountAt', '0x2', 1, alice)).toBe('-32000 Account not found')
    expect(await call('debug_accountAt', '0x2', 3, alice)).toBe('-32000 World state unavailable')
    expect(await call('debug_accountAt', '0x2', 4, alice)).toBe('-32602 Invalid params')
    const code = { code: '0x6020356000355500' }
    expect(await call('debug_accountAt', '0x1', 0, toHex(contract))).toMatchObject(code)
  })

  test('accounts come with their addresses', async () => {
    const { call } = startWithStorage()
    const { addressMap } = (await call('debug_accountRange', '0x2', 0, '0x0', 1000)) as Record<string, object>
    expect(addressMap).toMatchObject({ [toHex(keccak256(fromHex(alice)))]: alice })
    const before = (await call('debug_accountRange', '0x1', 0, '0x0', 1000)) as Record<string, object>
    expect(Object.values(before.addressMap!)).not.toContain(alice)
  })
})

describe('the operator', () => {
  test('sets the head back and replays a block', async () => {
    const { call } = startWithStorage()
    expect(await call('debug_replayBlock', '0x1')).toBe('Success')
    expect(await call('eth_blockNumber')).toBe('0x1')
    expect(await call('debug_setHead', '0x2')).toBe('-39001 Unknown block')
    expect(await call('debug_replayBlock', '0x0')).toBe('-32000 Parent block not found')
    expect(await call('debug_setHead', 'earliest')).toBe('Success')
    expect(await call('eth_getCode', toHex(contract), 'latest')).toBe('0x')
  })

  test('has the state rebuilt, once at a time', async () => {
    const { call, clock } = startWithStorage()
    expect(await call('debug_resyncWorldstate')).toBe('Success')
    expect(await call('debug_resyncWorldState')).toBe('-32000 The world state is already being rebuilt')
    clock.run(1000)
    expect(await call('eth_getStorageAt', toHex(contract), '0x4', 'latest')).toBe(toHex(word(14)))
    expect(await call('debug_resyncWorldState')).toBe('Success')
  })

  test('gives transactions to the pool as parameters or as a list', async () => {
    const { call, submitted } = start()
    const raw = [0n, 1n].map((nonce) => toHex(encodeTx(devTx(nonce))))
    const verdicts = [
      { index: 0, success: true },
      { index: 1, success: false, errorMessage: 'TRANSACTION_REPLACEMENT_UNDERPRICED' },
    ]
    expect(await call('debug_batchSendRawTransaction', ...raw)).toEqual(verdicts)
    submitted.length = 0
    expect(await call('debug_batchSendRawTransaction', raw)).toEqual(verdicts)
    expect(submitted.map(({ tx }) => toHex(txHash(tx)))).toEqual([0n, 1n].map((nonce) => toHex(txHash(devTx(nonce)))))
    expect(await call('debug_batchSendRawTransaction', '0x12')).toEqual([
      { index: 0, success: false, errorMessage: 'Invalid raw transaction hex' },
    ])
  })

  test('sees the blocks that were refused', async () => {
    const { chain, call } = start()
    const block = makeBlock(chain, [devTx(0n)])
    const bad = { ...block, header: { ...block.header, number: 2n, parentHash: keccak256(new Uint8Array(0)) } }
    expect(() => chain.importBlock(bad)).toThrow('PARENT_UNKNOWN')
    expect(await call('debug_getBadBlocks')).toEqual([])
    const worse = { ...block, header: { ...block.header, number: 7n, parentHash: chain.head().hash } }
    expect(() => chain.importBlock(worse)).toThrow('NUMBER_NOT_NEXT')
    const [shown] = (await call('debug_getBadBlocks')) as [{ block: object; hash: string; rlp: string }]
    expect(shown.block).toMatchObject({ number: '0x7', transactions: [{ hash: toHex(txHash(devTx(0n))) }] })
    expect(shown.rlp).toMatch(/^0xf9/)
  })

  test('looks after the log index', async () => {
    const { call, clock } = startWithStorage()
    const idle = { currentBlock: '0x0', startBlock: '0x0', endBlock: '0x0', indexing: false, requestAccepted: false }
    expect(await call('admin_generateLogBloomCache')).toEqual(idle)
    expect(await call('admin_generateLogBloomCache', '0x0')).toEqual({
      startBlock: '0x0',
      endBlock: 'latest',
      currentBlock: '0x0',
      indexing: true,
      requestAccepted: true,
    })
    expect(await call('admin_generateLogBloomCache', '0x0', '0x1')).toMatchObject({ requestAccepted: false })
    expect(await call('admin_logsRepairCache')).toEqual({ Status: 'Already running' })
    // It ends what makes the index.
    expect(await call('admin_logsRemoveCache')).toEqual({ Status: 'Cache Removed' })
    clock.run(100)
    expect(await call('admin_logsRepairCache', '1')).toEqual({ Status: 'Started' })
    clock.run(100)
    expect(await call('admin_logsRemoveCache', '', '0x1')).toEqual({ Status: 'Cache Removed' })
    expect(await call('admin_logsRemoveCache', '0x2', '0x1')).toMatch(/^-32602/)
  })

  test('changes the level of the log', async () => {
    const { call } = start()
    expect(await call('admin_changeLogLevel', 'DEBUG', ['rpc'])).toBe('Success')
    expect(await call('admin_changeLogLevel', 'debug')).toBe('-32602 Invalid params')
    expect(await call('admin_changeLogLevel', 'FATAL')).toBe('-32602 Invalid params')
  })
})
