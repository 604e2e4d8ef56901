import { type MetricCategory, metricPrefixes } from '../metrics/metrics.ts'
import { derived, option } from './option.ts'
import { boolean, host, listOf, type OptionCodec, oneOf, port, seconds, text } from './values.ts'

const metricCategories = (Object.keys(metricPrefixes) as MetricCategory[]).map(
  (name) => name.toUpperCase() as Uppercase<MetricCategory>,
)

/** Categories of Besu, of several versions, for what Quoin does not have. */
const besuCategories = [
  'BAL',
  'BLOCK_PROCESSING',
  'BONSAI_CACHE',
  'KVSTORE_PRIVATE_ROCKSDB',
  'KVSTORE_PRIVATE_ROCKSDB_STATS',
  'KVSTORE_ROCKSDB',
  'KVSTORE_ROCKSDB_STATS',
] as const
const anyCategories = listOf([...metricCategories, ...besuCategories])

const isEmptyCategory = (name: string) => besuCategories.some((other) => other === name)

const categories: OptionCodec<readonly Uppercase<MetricCategory>[]> = {
  ...listOf(metricCategories),
  decode: (given) =>
    anyCategories
      .decode(given.toUpperCase())
      .filter((name): name is Uppercase<MetricCategory> => !isEmptyCategory(name)),
}

function warnOfEmptyCategories(name: string, given: string): string | undefined {
  const empty = anyCategories.decode(given.toUpperCase()).filter(isEmptyCategory)
  if (empty.length === 0) return undefined
  return `Option '--${name}': ${empty.join(' and ')} ${empty.length === 1 ? 'has' : 'have'} no metrics here`
}

/** Metrics. */
export const metricsOptions = {
  'metrics-enabled': option(
    boolean,
    false,
    'metrics',
    'Serve metrics to Prometheus, at /metrics; or push them, see --metrics-protocol.',
  ),
  'metrics-protocol': option(
    oneOf(['PROMETHEUS', 'OPENTELEMETRY', 'NONE'], 'any case'),
    'PROMETHEUS',
    'metrics',
    'Who gets the metrics that --metrics-enabled asks for: PROMETHEUS reads them here; to a collector of OPENTELEMETRY metrics and traces are pushed (OTLP, HTTP with JSON), as the OTEL_ variables of the environment say; NONE.',
  ),
  'metrics-host': option(host, '127.0.0.1', 'metrics', 'Interface to listen on.'),
  'metrics-port': option(port, 9545, 'metrics', 'Port to listen on; 0 picks any free port.'),
  'metrics-category': option(
    categories,
    derived('all', () => metricCategories),
    'metrics',
    'Metric categories to enable; categories of unsupported features are empty.',
    { aliases: ['metrics-categories'], warning: warnOfEmptyCategories },
  ),
  'metrics-push-enabled': option(boolean, false, 'metrics', 'Push metrics to a Prometheus push gateway.'),
  'metrics-push-host': option(host, '127.0.0.1', 'metrics', 'Host of the push gateway.'),
  'metrics-push-port': option(port, 9001, 'metrics', 'Port of the push gateway.'),
  'metrics-push-interval': option(seconds, 15, 'metrics', 'Seconds between pushes.'),
  'metrics-push-prometheus-job': option(text('NAME'), 'besu-client', 'metrics', 'Job name at the push gateway.'),
}
