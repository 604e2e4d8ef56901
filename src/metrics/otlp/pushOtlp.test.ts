import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { createSilentLogs } from '../../../test/support/silentLogs.ts'
import { systemClock } from '../../system/clock.ts'
import { createMetrics } from '../metrics.ts'
import { otlpSettingsOf } from './otlpSettings.ts'
import { type OtlpPush, pushOtlp } from './pushOtlp.ts'

interface Request {
  readonly path: string
  readonly headers: Readonly<Record<string, unknown>>
  // biome-ignore lint/suspicious/noExplicitAny: the form is what is tested.
  readonly body: any
}

const ends: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

/** A collector; one that hangs takes requests and never answers. */
async function startCollector(hangs = false) {
  const requests: Request[] = []
  const server = createServer((request, response) => {
    let text = ''
    request.on('data', (data) => (text += data))
    request.on('end', () => {
      requests.push({ path: request.url!, headers: request.headers, body: JSON.parse(text) })
      if (!hangs) response.end('{}')
    })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  ends.push(() => {
    server.closeAllConnections()
    server.close()
  })
  return { requests, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

function start(
  url: string,
  more: Record<string, string> = {},
): { push: OtlpPush; metrics: ReturnType<typeof createMetrics> } {
  const metrics = createMetrics()
  const settings = otlpSettingsOf(
    {
      OTEL_EXPORTER_OTLP_ENDPOINT: url,
      OTEL_EXPORTER_OTLP_HEADERS: 'x-key=abc',
      OTEL_METRIC_EXPORT_INTERVAL: '100',
      OTEL_BSP_SCHEDULE_DELAY: '100',
      ...more,
    },
    'quoin/1',
  )
  const push = pushOtlp(settings, { clock: systemClock, log: createSilentLogs(), families: metrics.families })
  ends.push(push.stop)
  return { push, metrics }
}

const span = (name: string, began = 1_700_000_000_000.5) =>
  ({ name, kind: 'server', began, ended: began + 2, attributes: { 'rpc.method': name, n: 7 } }) as const

test('a collector gets metrics and spans in its JSON', async () => {
  const { requests, url } = await startCollector()
  const { push, metrics } = start(url)
  metrics.counter({ category: 'blockchain', name: 'blocks_total', help: 'Blocks.' }, ['way'])('import').add(3)
  metrics.gauge({ category: 'peers', name: 'count', help: 'Peers.' }, () => 4)
  metrics.timer({ category: 'rpc', name: 'time', help: 'Time.' }, [], [0.1, 1])().observe(0.5)
  push.span(span('eth_call'))
  await expect.poll(() => new Set(requests.map(({ path }) => path)).size).toBe(2)
  const { headers, body } = requests.find(({ path }) => path === '/v1/metrics')!
  expect(headers).toMatchObject({ 'x-key': 'abc', 'content-type': 'application/json' })
  const [{ resource, scopeMetrics }] = body.resourceMetrics
  expect(resource.attributes).toContainEqual({ key: 'service.name', value: { stringValue: 'quoin' } })
  const time = { startTimeUnixNano: expect.stringMatching(/^\d{19}$/), timeUnixNano: expect.stringMatching(/^\d{19}$/) }
  expect(scopeMetrics[0].metrics).toEqual([
    {
      name: 'besu_blockchain_blocks_total',
      description: 'Blocks.',
      sum: {
        aggregationTemporality: 2,
        isMonotonic: true,
        dataPoints: [{ ...time, attributes: [{ key: 'way', value: { stringValue: 'import' } }], asDouble: 3 }],
      },
    },
    {
      name: 'besu_peers_count',
      description: 'Peers.',
      gauge: { dataPoints: [{ ...time, attributes: [], asDouble: 4 }] },
    },
    {
      name: 'besu_rpc_time',
      description: 'Time.',
      histogram: {
        aggregationTemporality: 2,
        dataPoints: [
          { ...time, attributes: [], count: '1', sum: 0.5, bucketCounts: ['0', '1', '0'], explicitBounds: [0.1, 1] },
        ],
      },
    },
  ])
  const traces = requests.find(({ path }) => path === '/v1/traces')!.body
  expect(traces.resourceSpans[0].scopeSpans[0].spans).toEqual([
    {
      traceId: expect.stringMatching(/^[0-9a-f]{32}$/),
      spanId: expect.stringMatching(/^[0-9a-f]{16}$/),
      name: 'eth_call',
      kind: 2,
      startTimeUnixNano: '1700000000000500000',
      endTimeUnixNano: '1700000000002500000',
      attributes: [
        { key: 'rpc.method', value: { stringValue: 'eth_call' } },
        { key: 'n', value: { intValue: '7' } },
      ],
      status: {},
    },
  ])
})

test('a collector that hangs has one push of each kind, and spans do not pile up', async () => {
  const { requests, url } = await startCollector(true)
  const { push } = start(url, { OTEL_BSP_MAX_QUEUE_SIZE: '5', OTEL_EXPORTER_OTLP_TIMEOUT: '60000' })
  push.span(span('first'))
  await expect.poll(() => requests.length).toBe(2)
  for (let i = 0; i < 1000; i++) push.span(span(`eth_${i}`))
  await new Promise((resolve) => setTimeout(resolve, 500))
  expect(requests.length).toBe(2)
  // The last push has a second.
  await push.stop()
  const spans = requests
    .filter(({ path }) => path === '/v1/traces')
    .map(({ body }) => body.resourceSpans[0].scopeSpans[0].spans.length)
  expect(spans).toEqual([1, 5])
})

test('spans are sampled', async () => {
  const { requests, url } = await startCollector()
  const { push } = start(url, { OTEL_TRACES_SAMPLER: 'always_off' })
  for (let i = 0; i < 100; i++) push.span(span('a'))
  await push.stop()
  expect(requests.filter(({ path }) => path === '/v1/traces')).toEqual([])
})
