import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createPublicClient } from 'viem'
import { ipc } from 'viem/node'
import { afterEach, expect, test } from 'vitest'
import { type DevNode, dialWs, startDevNode } from '../support/devNode.ts'

// What only servers in a thread of their own do; servers.test.ts asks them what transcripts.test.ts asks others.

const nodes: DevNode[] = []
afterEach(async () => {
  for (const node of nodes.splice(0)) await node.stop()
})

async function start(options: Readonly<Record<string, string>> = {}): Promise<DevNode> {
  const node = await startDevNode({ 'rpc-servers': '1', 'rpc-http-api': 'ETH,NET,EVM,ANVIL,HARDHAT', ...options })
  nodes.push(node)
  return node
}

test('a port that is taken is named, and nothing is left running', async () => {
  const other = createServer()
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
  const { port } = other.address() as AddressInfo
  await expect(start({ 'rpc-http-port': String(port) })).rejects.toThrow(`'[${port}]' already in use`)
  await new Promise((resolve) => other.close(resolve))
})

test('a client sees what it has done, over each connection that it opens afterwards', async () => {
  const node = await start()
  for (let i = 1; i <= 20; i++) {
    await node.call('evm_mine')
    expect(await node.call('eth_blockNumber')).toBe(`0x${i.toString(16)}`)
  }
  const batch = [
    { jsonrpc: '2.0', id: 1, method: 'evm_mine', params: [] },
    { jsonrpc: '2.0', id: 2, method: 'eth_blockNumber', params: [] },
  ]
  const replies = await (await fetch(node.url, { method: 'POST', body: JSON.stringify(batch) })).json()
  expect(replies).toMatchObject([{ id: 1 }, { id: 2, result: '0x15' }])
})

test('subscribers and filters are told of blocks and transactions', async () => {
  const node = await start({ 'dev-period': '0' })
  const client = await dialWs(node.wsUrl)
  const { result: heads } = await client.send('eth_subscribe', ['newHeads'])
  const { result: pending } = await client.send('eth_subscribe', [
    'newPendingTransactions',
    { includeTransactions: true },
  ])
  const filter = await node.call('eth_newPendingTransactionFilter')
  const from = '0xfe3b557e8fb62b89f4916b721be55ceb828dbd73'
  await node.call('hardhat_impersonateAccount', [from])
  const hash = await node.call('eth_sendTransaction', [{ from, to: from, gas: '0x5208' }])
  expect(await client.next(pending)).toMatchObject({ hash })
  expect(await client.next(heads)).toMatchObject({ number: '0x1' })
  expect(await node.call('eth_getFilterChanges', [filter])).toEqual([hash])
  client.close()
})

test('a Unix socket is served, and one that is too long named with its option', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'quoin-ipc-'))
  const path = join(folder, 'quoin.ipc')
  const node = await start({ 'ipc-path': path })
  const client = createPublicClient({ transport: ipc(path, { reconnect: false }) })
  const heads: bigint[] = []
  const stop = client.watchBlockNumber({ onBlockNumber: (number) => heads.push(number) })
  expect(await client.getBlockNumber()).toBe(0n)
  const blocksHeard = async () => {
    await node.call('evm_mine')
    return heads.length
  }
  await expect.poll(blocksHeard).toBeGreaterThan(0)
  stop()
  ;(await client.transport.getRpcClient()).close()
  const long = join(folder, 'x'.repeat(120))
  await expect(start({ 'ipc-path': long })).rejects.toThrow(/at most\. See --ipc-path\.$/)
  rmSync(folder, { recursive: true, force: true })
})
