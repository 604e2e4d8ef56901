import { afterAll, beforeAll, expect, test } from 'vitest'
import { type DevNode, eventually, richAddress, signed, startDevNode } from '../../test/support/devNode.ts'
import { hexToAddress } from '../primitives/hex.ts'

let node: DevNode
beforeAll(async () => {
  node = await startDevNode()
})
afterAll(() => node.stop())

async function ask<T>(query: string): Promise<T> {
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(node.graphqlUrl!, { method: 'POST', headers, body: JSON.stringify({ query }) })
  return ((await response.json()) as { data: T }).data
}

test('a transaction goes in, and comes out in a block, on a network that was started without options', async () => {
  const to = `0x${'11'.repeat(20)}`
  const { raw, hash } = signed({
    type: 2,
    chainId: 1337n,
    nonce: 0n,
    gasLimit: 21_000n,
    maxFee: 10_000_000_000n,
    maxPriorityFee: 1_000_000_000n,
    to: hexToAddress(to),
    value: 5n,
    data: new Uint8Array(0),
    accessList: [],
  })
  expect(await ask(`mutation{sendRawTransaction(data:"${raw}")}`)).toEqual({ sendRawTransaction: hash })
  const query = `{transaction(hash:"${hash}"){status gasPrice from{address} to{balance} block{number}}}`
  const found = await eventually(async () => (await ask<{ transaction: object | null }>(query)).transaction)
  expect(found).toEqual({
    status: 1,
    gasPrice: '0x0',
    from: { address: `0x${richAddress}` },
    to: { balance: '0x5' },
    block: { number: 1 },
  })
  expect(await ask('{block{number} pending{transactionCount} syncing{currentBlock}}')).toEqual({
    block: { number: 1 },
    pending: { transactionCount: 0 },
    syncing: null,
  })
})

test('services that JSON-RPC tells of are those of Besu', async () => {
  expect(Object.keys(await node.call<object>('net_services')).sort()).toEqual(['jsonrpc', 'ws'])
})
