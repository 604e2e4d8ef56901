import { type MetricCategory, metricPrefixes } from '../primitives/metrics.ts'
import { derived, option } from './option.ts'
import { boolean, host, listOf, port, seconds, text } from './values.ts'

const metricCategories = (Object.keys(metricPrefixes) as MetricCategory[]).map(
  (name) => name.toUpperCase() as Uppercase<MetricCategory>,
)

/** Metrics. */
export const metricsOptions = {
  'metrics-enabled': option(boolean, false, 'metrics', 'Serve metrics to Prometheus, at /metrics.'),
  'metrics-host': option(host, '127.0.0.1', 'metrics', 'Interface to listen on.'),
  'metrics-port': option(port, 9545, 'metrics', 'Port to listen on; 0 picks any free port.'),
  'metrics-category': option(
    listOf(metricCategories),
    derived('all', () => metricCategories),
    'metrics',
    'Metric categories to enable; categories of unsupported features are empty.',
    { aliases: ['metrics-categories'] },
  ),
  'metrics-push-enabled': option(boolean, false, 'metrics', 'Push metrics to a Prometheus push gateway.'),
  'metrics-push-host': option(host, '127.0.0.1', 'metrics', 'Host of the push gateway.'),
  'metrics-push-port': option(port, 9001, 'metrics', 'Port of the push gateway.'),
  'metrics-push-interval': option(seconds, 15, 'metrics', 'Seconds between pushes.'),
  'metrics-push-prometheus-job': option(text('NAME'), 'besu-client', 'metrics', 'Job name at the push gateway.'),
}
