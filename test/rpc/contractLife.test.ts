import { afterAll, beforeAll, expect, test } from 'vitest'
import { fromHex, hexToAddress } from '../../src/primitives/hex.ts'
import type { UnsignedTx } from '../../src/types/transaction.ts'
import { type DevNode, dialWs, eventually, richAddress, signed, startDevNode } from '../support/devNode.ts'

let node: DevNode

beforeAll(async () => {
  node = await startDevNode()
})
afterAll(() => node.stop())

/** Stores 42 in slot 0, logs it under the topic that it is called with, and returns it. */
const runtime = '602a600055602a60005260003560206000a160206000f3'
const initCode = fromHex(`6017600c60003960176000f3${runtime}`)
const topic = `0x${'ab'.repeat(32)}`
const word42 = `0x${'2a'.padStart(64, '0')}`
const sender = `0x${richAddress}`

function tx(nonce: bigint, more: Partial<{ to: string; data: Uint8Array; value: bigint }> = {}): UnsignedTx {
  return {
    type: 2,
    chainId: 1337n,
    nonce,
    gasLimit: 200_000n,
    maxFee: 10_000_000_000n,
    maxPriorityFee: 1_000_000_000n,
    to: more.to === undefined ? undefined : hexToAddress(more.to),
    value: more.value ?? 0n,
    data: more.data ?? new Uint8Array(0),
    accessList: [],
  }
}

interface Receipt {
  readonly blockHash: string
  readonly blockNumber: string
  readonly contractAddress: string
  readonly status: string
  readonly logs: readonly { readonly topics: readonly string[]; readonly logIndex: string }[]
}

test('a contract is deployed, called and followed over HTTP and WebSocket', async () => {
  const ws = await dialWs(node.wsUrl)
  const follow = async (...params: unknown[]) => (await ws.send('eth_subscribe', params)).result
  const heads = await follow('newHeads')
  const fullHeads = await follow('newHeads', { includeTransactions: true })
  const pending = await follow('newPendingTransactions')
  const blockFilter = await node.call('eth_newBlockFilter')
  const pendingFilter = await node.call('eth_newPendingTransactionFilter')

  const deploy = signed(tx(0n, { data: initCode }))
  expect(await node.call('eth_sendRawTransaction', [deploy.raw])).toBe(deploy.hash)
  expect(await ws.next(pending)).toBe(deploy.hash)
  const head = (await ws.next(heads)) as { number: string; hash: string; transactions: unknown[] }
  expect(head).toMatchObject({ number: '0x1', transactions: [deploy.hash] })
  expect(await ws.next(fullHeads)).toMatchObject({ number: '0x1', transactions: [{ hash: deploy.hash, from: sender }] })

  const receipt = await node.call<Receipt>('eth_getTransactionReceipt', [deploy.hash])
  expect(receipt).toMatchObject({ status: '0x1', blockHash: head.hash, type: '0x2', from: sender, to: null })
  const { contractAddress } = receipt
  expect(await node.call('eth_getCode', [contractAddress, 'latest'])).toBe(`0x${runtime}`)
  expect(await node.call('eth_getFilterChanges', [blockFilter])).toEqual([head.hash])
  expect(await node.call('eth_getFilterChanges', [blockFilter])).toEqual([])
  expect(await node.call('eth_getFilterChanges', [pendingFilter])).toEqual([deploy.hash])

  const logs = await follow('logs', { address: contractAddress })
  const others = await follow('logs', { address: sender })
  const logFilter = await node.call('eth_newFilter', [{ address: contractAddress, topics: [topic] }])
  const invoke = signed(tx(1n, { to: contractAddress, data: fromHex(topic) }))
  await node.call('eth_sendRawTransaction', [invoke.raw])
  const log = {
    address: contractAddress,
    topics: [topic],
    data: word42,
    blockNumber: '0x2',
    transactionHash: invoke.hash,
    transactionIndex: '0x0',
    logIndex: '0x0',
    removed: false,
  }
  expect(await ws.next(logs)).toMatchObject(log)
  const query = { fromBlock: 'earliest', toBlock: 'latest', addresses: [contractAddress] }
  expect(await node.call('eth_getLogs', [query])).toMatchObject([log])
  expect(await node.call('eth_getFilterChanges', [logFilter])).toMatchObject([log])
  expect(await node.call('eth_getFilterLogs', [logFilter])).toMatchObject([log])
  expect((await node.call<Receipt>('eth_getTransactionReceipt', [invoke.hash])).logs).toMatchObject([log])
  expect(await node.call('eth_getStorageAt', [contractAddress, '0x0', 'latest'])).toBe(word42)
  expect(await node.call('eth_getStorageAt', [contractAddress, '0x0', '0x1'])).toBe(`0x${'0'.repeat(64)}`)
  expect(await node.call('eth_call', [{ to: contractAddress }, 'latest'])).toBe(word42)

  expect((await ws.send('eth_unsubscribe', [logs])).result).toBe(true)
  expect((await ws.send('eth_unsubscribe', [logs])).error).toMatchObject({ code: -32000 })
  expect((await ws.send('eth_unsubscribe', ['zz'])).error).toMatchObject({ code: -32600 })
  expect((await ws.send('eth_unsubscribe', [others])).result).toBe(true)
  expect(await node.call('eth_uninstallFilter', [logFilter])).toBe(true)
  expect((await node.send('eth_getFilterChanges', [logFilter])).error).toMatchObject({ code: -32000 })
  ws.close()
})

test('an estimate is enough and not much more', async () => {
  const call = { from: sender, data: `0x${Buffer.from(initCode).toString('hex')}` }
  const gas = BigInt(await node.call<string>('eth_estimateGas', [call]))
  const nonce = BigInt(await node.call<string>('eth_getTransactionCount', [sender, 'pending']))
  const sent = signed({ ...tx(nonce, { data: initCode }), gasLimit: gas })
  await node.call('eth_sendRawTransaction', [sent.raw])
  const receipt = await eventually(() => node.call<Receipt | null>('eth_getTransactionReceipt', [sent.hash]))
  expect(receipt.status).toBe('0x1')
  const low = signed({ ...tx(nonce + 1n, { data: initCode }), gasLimit: gas - 1n })
  await node.call('eth_sendRawTransaction', [low.raw])
  const failed = await eventually(() => node.call<Receipt | null>('eth_getTransactionReceipt', [low.hash]))
  expect(failed.status).toBe('0x0')
})

test('overrides change what a call sees, and nothing else', async () => {
  const stranger = `0x${'77'.repeat(20)}`
  // Returns slot 1 and the balance of the code's own account.
  const code = '0x60015460005247602052604060 00f3'.replace(' ', '')
  const word = (n: number) => n.toString(16).padStart(64, '0')
  const overrides = { [stranger]: { code, balance: '0x5', stateDiff: { '0x1': `0x${word(9)}` } } }
  expect(await node.call('eth_call', [{ to: stranger }, 'latest', overrides])).toBe(`0x${word(9)}${word(5)}`)
  expect(await node.call('eth_call', [{ to: stranger }, 'latest'])).toBe('0x')
  expect(await node.call('eth_getBalance', [stranger, 'latest'])).toBe('0x0')
})

test('a refused transaction says why', async () => {
  const nonce = BigInt(await node.call<string>('eth_getTransactionCount', [sender, 'latest']))
  const refused = async (unsigned: UnsignedTx, key?: Uint8Array) =>
    (await node.send('eth_sendRawTransaction', [signed(unsigned, key).raw])).error
  expect(await refused(tx(0n))).toEqual({ code: -32001, message: 'Nonce too low' })
  expect(await refused({ ...tx(nonce), gasLimit: 1n })).toEqual({
    code: -32003,
    message: 'Intrinsic gas exceeds gas limit',
  })
  expect(await refused({ ...tx(nonce), chainId: 5n })).toEqual({ code: -32000, message: 'Wrong chainId' })
  expect(await refused(tx(0n, { to: sender }), new Uint8Array(32).fill(7))).toEqual({
    code: -32004,
    message: 'Upfront cost exceeds account balance',
  })
})

test('what subscriptions refuse', async () => {
  const ws = await dialWs(node.wsUrl)
  for (const params of [
    [],
    ['nope'],
    [5],
    ['logs'],
    ['logs', { topics: {} }],
    ['newHeads', 'x'],
    ['newHeads', { includeTransactions: [] }],
  ])
    expect((await ws.send('eth_subscribe', params)).error, JSON.stringify(params)).toMatchObject({ code: -32600 })
  ws.close()
  expect((await node.send('eth_subscribe', ['newHeads'])).error).toMatchObject({ code: -32604 })
})

test('calls on the head leave nothing behind for the next one, and see a new head', async () => {
  // Adds one to slot 5 and returns it; also makes and destroys a contract, and logs.
  const code = '0x60055460010160055560006000600060006000f0ff'
  const stranger = `0x${'78'.repeat(20)}`
  const counter = '0x6005546001018060055560005260206000f3'
  const overridden = { [stranger]: { code: counter } }
  const one = `0x${'1'.padStart(64, '0')}`
  for (let i = 0; i < 3; i++) expect(await node.call('eth_call', [{ to: stranger }, 'latest', overridden])).toBe(one)
  const nonce = BigInt(await node.call<string>('eth_getTransactionCount', [sender, 'pending']))
  const deployment = signed(tx(nonce, { data: fromHex(`6012600c60003960126000f3${counter.slice(2)}`) }))
  await node.call('eth_sendRawTransaction', [deployment.raw])
  const { contractAddress: to } = await eventually(() =>
    node.call<Receipt | null>('eth_getTransactionReceipt', [deployment.hash]),
  )
  for (let i = 0; i < 3; i++) {
    expect(await node.call('eth_call', [{ to }, 'latest'])).toBe(one)
    await node.call('eth_call', [{ data: code }, 'latest'])
    expect(await node.call('eth_estimateGas', [{ to }])).toBe(await node.call('eth_estimateGas', [{ to }]))
  }
  const bump = signed(tx(nonce + 1n, { to }))
  await node.call('eth_sendRawTransaction', [bump.raw])
  await eventually(() => node.call<Receipt | null>('eth_getTransactionReceipt', [bump.hash]))
  expect(await node.call('eth_call', [{ to }, 'latest'])).toBe(`0x${'2'.padStart(64, '0')}`)
})
