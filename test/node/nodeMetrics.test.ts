import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { resolveConfig } from '../../src/config/resolveConfig.ts'
import { timedChain } from '../../src/metrics/timedChain.ts'
import { createNodeMetrics } from '../../src/node/createNodeMetrics.ts'
import { createCurrentView } from '../../src/node/ports/currentView.ts'
import type { ConnectedPeer } from '../../src/rpc/protocol/context.ts'
import { createManualClock } from '../support/manualClock.ts'
import { createSilentLogs } from '../support/silentLogs.ts'
import { devTx, makeBlock, openTestChain, removeFolder, type TestChain } from '../support/testChain.ts'

const stops: (() => unknown)[] = []

afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop()
})

const log = createSilentLogs()

function openChain(): TestChain {
  const node = openTestChain()
  stops.push(() => removeFolder(node.path), node.close)
  return node
}

async function start(options: Readonly<Record<string, string>>) {
  const { chain } = openChain()
  const clock = createManualClock(0)
  const { config } = resolveConfig(new Map(Object.entries({ 'metrics-port': '0', ...options })), {})
  const measured = createNodeMetrics(config, { clock, log, version: 'quoin/1' })
  const current = createCurrentView(chain, clock)
  const pool = {
    statistics: () => ({ maxSize: 1, localCount: 3, remoteCount: 4, pendingCount: 7, queuedCount: 0, bytes: 1 }),
    subscribe: () => () => {},
  }
  const peers = { count: () => 2, list: () => [{ clientId: 'besu/v26.8.0' }, { clientId: 'quoin' }] as ConnectedPeer[] }
  const settings = {
    maxPeers: 25,
    mining: { minGasPrice: () => 7n, minPriorityFee: () => 0n },
    version: 'quoin/v1',
  }
  const timed = timedChain(chain, measured.metrics)
  const parts = { view: current.get, chain: timed, pool, peers, ...settings, sync: { status: () => undefined } }
  const server = await measured.start(parts)
  stops.push(current.close, measured.stop)
  return { measured, server, clock, chain: timed }
}

test('what is measured is served to Prometheus, by category and name', async () => {
  const { server, chain } = await start({
    'metrics-enabled': 'true',
    'metrics-category': 'BLOCKCHAIN,PEERS,JVM,PROCESS',
  })
  makeBlock(chain, [devTx(0n)])
  const url = `http://127.0.0.1:${server!.port}/metrics`
  const reply = await fetch(url)
  expect(reply.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/)
  const text = await reply.text()
  expect(text).toContain('# TYPE besu_blockchain_height gauge\nbesu_blockchain_height 1\n')
  expect(text).toContain('besu_blockchain_blocks_added_total 1\n')
  expect(text).toContain('besu_peers_peer_count_current 2\n')
  expect(text).toContain('besu_peers_peer_count_by_client{client="besu"} 1\n')
  expect(text).toContain('process_release{version="quoin/v1"} 1\n')
  expect(text).toMatch(/besu_blockchain_block_import_time_bucket\{way="produce",le="\+Inf"\} 1\n/)
  expect(text).toMatch(/^jvm_memory_bytes_used\{area="heap"\} \d+$/m)
  expect(text).toMatch(/^process_cpu_seconds_total [\d.]+$/m)
  expect(text).not.toContain('transaction_pool')
  const one = await (await fetch(`${url}?name[]=besu_blockchain_height`)).text()
  expect(one.split('\n').filter((line) => line && !line.startsWith('#'))).toEqual(['besu_blockchain_height 1'])
  expect((await fetch(`http://127.0.0.1:${server!.port}/`)).status).toBe(201)
  expect((await fetch(`http://127.0.0.1:${server!.port}/other`)).status).toBe(404)
})

test('what Besu has called otherwise since then has both names', async () => {
  const { server, chain } = await start({ 'metrics-enabled': 'true', 'metrics-category': 'BLOCKCHAIN,ETHEREUM' })
  makeBlock(chain, [devTx(0n)])
  const text = await (await fetch(`http://127.0.0.1:${server!.port}/metrics`)).text()
  const value = (name: string) => new RegExp(`^${name} (.+)$`, 'm').exec(text)?.[1]
  expect(value('besu_blockchain_difficulty')).toBe(value('besu_blockchain_difficulty_total'))
  for (const [name, expected] of [
    ['besu_blockchain_chain_head_transaction_count_counter', '1'],
    ['besu_blockchain_chain_head_transaction_count_counter_total', '1'],
    ['ethereum_peer_limit', '25'],
    ['ethereum_min_gas_price', '7'],
  ] as const)
    expect(value(name), name).toBe(expected)
})

test('a request that is addressed to another host is refused', async () => {
  const { server } = await start({ 'metrics-enabled': 'true', 'host-allowlist': 'node.example' })
  expect((await fetch(`http://127.0.0.1:${server!.port}/metrics`)).status).toBe(403)
})

test('measures are sent to a gateway, and taken back at the end', async () => {
  const seen: string[] = []
  let heard: () => void = () => {}
  const gateway = createServer((request, response) => {
    let body = ''
    request.on('data', (part) => (body += String(part)))
    request.on('end', () => {
      seen.push(`${request.method} ${request.url} ${body.includes('ethereum_blockchain_height 0')}`)
      response.end()
      heard()
    })
  })
  await new Promise<void>((resolve) => gateway.listen(0, '127.0.0.1', resolve))
  stops.push(() => gateway.close())
  const port = String((gateway.address() as AddressInfo).port)
  const pushed = new Promise<void>((resolve) => (heard = resolve))
  const { measured, clock } = await start({ 'metrics-push-enabled': 'true', 'metrics-push-port': port })
  clock.run(0)
  await pushed
  await measured.stop()
  expect(seen).toEqual(['PUT /metrics/job/besu-client true', 'DELETE /metrics/job/besu-client false'])
})

test('debug_metrics has its groups, with label values as members', async () => {
  const { measured } = await start({ 'rpc-http-api': 'ETH,DEBUG' })
  measured.onCall!('eth_call', 0.02)
  const tree = measured.port.tree() as Record<string, Record<string, unknown>>
  for (const group of ['jvm', 'process', 'rpc', 'blockchain', 'peers']) expect(tree).toHaveProperty(group)
  const time = tree.rpc!.request_time as Record<string, { bucket: Record<string, number>; count: number; sum: number }>
  expect(time.eth_call).toMatchObject({ count: 1, sum: 0.02 })
  expect(time.eth_call!.bucket).toMatchObject({ '0.01': 0, '0.025': 1, '1.0': 1, '+Inf': 1 })
  expect(tree.transaction_pool!.number_of_transactions).toEqual({ local: 3, remote: 4 })
  expect(tree.jvm!.gc_collection_seconds).toHaveProperty('minor.count')
})

test('calls are not measured where nobody will ask', async () => {
  const { measured, server } = await start({ 'rpc-http-api': 'ETH', 'rpc-ws-api': 'ETH' })
  expect(measured.onCall).toBeUndefined()
  expect(server).toBeUndefined()
})
