import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test, vi } from 'vitest'
import { startDevNode } from '../support/devNode.ts'

const ends: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
  vi.unstubAllEnvs()
})

/** A collector, or one that takes everything and never answers. */
async function startCollector(hangs: boolean) {
  const texts: string[] = []
  const server = createServer((request, response) => {
    let text = ''
    request.on('data', (data) => (text += data))
    request.on('end', () => {
      texts.push(text)
      if (!hangs) response.end('{}')
    })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  ends.push(() => {
    server.closeAllConnections()
    server.close()
  })
  vi.stubEnv('OTEL_EXPORTER_OTLP_ENDPOINT', `http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  vi.stubEnv('OTEL_METRIC_EXPORT_INTERVAL', '100')
  vi.stubEnv('OTEL_BSP_SCHEDULE_DELAY', '100')
  return texts
}

async function startNode() {
  const node = await startDevNode({
    'metrics-enabled': 'true',
    'metrics-protocol': 'opentelemetry',
    'rpc-http-api': 'ETH,EVM',
  })
  ends.push(node.stop)
  return node
}

test('a collector is told of metrics, calls and blocks', async () => {
  const texts = await startCollector(false)
  const node = await startNode()
  await node.call('evm_mine')
  await node.call('eth_chainId')
  const all = () => texts.join('')
  for (const wanted of ['besu_blockchain_height', '"name":"eth_chainId"', '"name":"block.produce"', '"block.number"'])
    await expect.poll(all).toContain(wanted)
})

test('one that hangs delays neither blocks nor calls, nor the end of the node by more than a second', async () => {
  const texts = await startCollector(true)
  const node = await startNode()
  await expect.poll(() => texts.length).toBeGreaterThan(0)
  for (let number = 1; number <= 20; number++) {
    await node.call('evm_mine')
    expect(Number(await node.call('eth_blockNumber'))).toBe(number)
  }
  expect(texts.length).toBeLessThanOrEqual(2)
})

test('a node does not start with a variable that it cannot honour', async () => {
  await startCollector(false)
  vi.stubEnv('OTEL_EXPORTER_OTLP_PROTOCOL', 'grpc')
  await expect(startNode()).rejects.toThrow(/OTEL_EXPORTER_OTLP_PROTOCOL: only http\/json/)
})
