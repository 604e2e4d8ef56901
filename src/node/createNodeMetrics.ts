import type { Config } from '../config/options.ts'
import type { Listening } from '../http/listen.ts'
import { blockSpans } from '../metrics/blockSpans.ts'
import { createMetrics, type Metrics } from '../metrics/metrics.ts'
import { serveMetrics } from '../metrics/metricsServer.ts'
import { fullName, metricsText } from '../metrics/metricsText.ts'
import { metricTree } from '../metrics/metricTree.ts'
import { type MeasuredNode, measureNode } from '../metrics/nodeMetrics.ts'
import type { Span } from '../metrics/otlp/otlpJson.ts'
import { type OtlpSettings, otlpSettingsOf } from '../metrics/otlp/otlpSettings.ts'
import { pushOtlp } from '../metrics/otlp/pushOtlp.ts'
import { pushMetrics } from '../metrics/pushMetrics.ts'
import { measureRuntime } from '../metrics/runtimeMetrics.ts'
import type { TimedChain } from '../metrics/timedChain.ts'
import type { ReaderCounts } from '../readers/createReaders.ts'
import type { MetricsPort } from '../rpc/protocol/context.ts'
import type { CallMeter } from '../rpc/protocol/dispatcher.ts'
import type { Clock } from '../system/clock.ts'
import type { Logger } from '../system/logger.ts'
import { rethrowListenError } from './fault.ts'

/** The metrics of a node, and the ways to read them. */
export interface NodeMetrics {
  readonly metrics: Metrics
  readonly port: MetricsPort
  /** To be called after each JSON-RPC call; undefined if calls are not measured. */
  readonly onCall: CallMeter | undefined
  /** To be called when a reader has ended unasked; what it was reading may be written over. */
  onReaderLost(): void
  /** Shows the readers of the servers. */
  measureReaders(readers: { counts(): ReaderCounts } | undefined): void
  /** Starts to measure; serves the metrics or pushes them to a gateway if the options say so. */
  start(node: StartedNode): Promise<Listening | undefined>
  stop(): Promise<void>
}

export interface NodeMetricsParts {
  readonly clock: Clock
  readonly log: Logger
  readonly version: string
}

/** A node whose metrics are read. */
type StartedNode = MeasuredNode & { readonly chain: Pick<TimedChain, 'onHead' | 'work'> }

/** Calls and the runtime are measured only if metrics are served or pushed, or the DEBUG methods are enabled. */
export function createNodeMetrics(config: Config, { clock, log, version }: NodeMetricsParts): NodeMetrics {
  const metrics = createMetrics()
  const stops: (() => unknown)[] = []
  const exposed = config['metrics-enabled'] || config['metrics-push-enabled']
  const protocol = config['metrics-protocol']
  // What is wrong with it is said at the start.
  const otlp = exposed && protocol === 'OPENTELEMETRY' ? otlpSettingsOf(process.env, version) : undefined
  let onSpan: ((span: Span) => void) | undefined
  const watched = exposed || config['rpc-http-api'].includes('DEBUG') || config['rpc-ws-api'].includes('DEBUG')
  const categories = new Set(config['metrics-category'].map((name) => name.toLowerCase()))

  const lost = metrics.counter({
    category: 'rpc',
    name: 'readers_lost_total',
    help: 'Readers that ended unasked, or were killed because a call took too long.',
  })()

  const families = () => metrics.families().filter(({ category }) => categories.has(category))
  const read = (names: ReadonlySet<string> = new Set()): string =>
    metricsText(families().filter((family) => names.size === 0 || names.has(fullName(family))))

  function pushToCollector(settings: OtlpSettings, chain: StartedNode['chain']): void {
    const push = pushOtlp(settings, { clock, log, families })
    onSpan = push.span
    const end = blockSpans(chain, clock, push.span)
    stops.push(() => {
      end()
      return push.stop()
    })
  }

  async function serve(): Promise<Listening> {
    const address = { host: config['metrics-host'], port: config['metrics-port'] }
    const options = { ...address, hostAllowlist: config['host-allowlist'] }
    const server = await serveMetrics(options, read).catch(rethrowListenError('metrics', address))
    stops.push(() => server.close())
    return server
  }

  function push(): void {
    const options = {
      host: config['metrics-push-host'],
      port: config['metrics-push-port'],
      seconds: config['metrics-push-interval'],
      job: config['metrics-push-prometheus-job'],
    }
    stops.push(pushMetrics(options, read, clock, log))
  }

  return {
    metrics,
    port: { tree: () => metricTree(metrics.families()) },
    onCall: watched ? meterCalls(metrics, clock, (span) => onSpan?.(span)) : undefined,
    onReaderLost: lost.add,
    measureReaders(readers) {
      if (readers) measureReaders(metrics, readers)
    },
    async start(node) {
      stops.push(measureNode(metrics, node))
      if (watched) stops.push(measureRuntime(metrics))
      if (otlp) pushToCollector(otlp, node.chain)
      if (protocol !== 'PROMETHEUS') return undefined
      if (config['metrics-push-enabled']) push()
      return config['metrics-enabled'] ? serve() : undefined
    },
    async stop() {
      for (const stop of stops.splice(0).reverse()) await stop()
    },
  }
}

function measureReaders(metrics: Metrics, { counts }: { counts(): ReaderCounts }): void {
  const gauge = (name: string, help: string, value: () => number) =>
    metrics.gauge({ category: 'rpc', name, help }, value)
  gauge('readers', 'Readers that run.', () => counts().running)
  gauge('readers_waiting', 'Requests that wait for a reader.', () => counts().waiting)
}

function meterCalls(metrics: Metrics, clock: Clock, onSpan: (span: Span) => void): CallMeter {
  const timer = metrics.timer(
    { category: 'rpc', name: 'request_time', help: 'Time that JSON-RPC calls take, by method.' },
    ['methodName'],
  )
  return (method, seconds, ended = clock.now()) => {
    timer(method).observe(seconds)
    const attributes = { 'rpc.system': 'jsonrpc', 'rpc.method': method }
    onSpan({ name: method, kind: 'server', began: ended - 1000 * seconds, ended, attributes })
  }
}
