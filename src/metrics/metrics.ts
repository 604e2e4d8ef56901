/** Besu's metric categories and the prefix of their Prometheus names. */
export const metricPrefixes = {
  blockchain: 'besu_blockchain_',
  ethereum: 'ethereum_',
  executors: 'besu_executors_',
  jvm: 'jvm_',
  network: 'besu_network_',
  peers: 'besu_peers_',
  permissioning: 'besu_permissioning_',
  process: 'process_',
  pruner: 'besu_pruner_',
  rpc: 'besu_rpc_',
  stratum: 'besu_stratum_',
  synchronizer: 'besu_synchronizer_',
  transaction_pool: 'besu_transaction_pool_',
} as const
export type MetricCategory = keyof typeof metricPrefixes

/** Category, name and description of a metric. */
export interface MetricName {
  readonly category: MetricCategory
  readonly name: string
  readonly help: string
}

/** Observed durations: counts per bucket, total count and sum. Without bounds there are no buckets. */
export interface Times {
  readonly bounds: readonly number[]
  /** Number of durations per bucket, not cumulative; the last bucket is above all bounds. */
  readonly counts: readonly number[]
  readonly count: number
  readonly sum: number
}

export type MetricValue = number | Times

/** A metric with one value per combination of label values. */
export interface MetricFamily extends MetricName {
  readonly type: 'counter' | 'gauge' | 'histogram' | 'summary'
  readonly labels: readonly string[]
  readonly values: readonly (readonly [labels: readonly string[], value: MetricValue])[]
}

export interface Counter {
  add(amount?: number): void
}

export interface Timer {
  observe(seconds: number): void
}

/** Upper bounds in seconds: the defaults of Prometheus's client libraries, and finer ones below them. */
const defaultBounds = [0.0005, 0.001, 0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10]

/** The program's metrics. */
export interface Metrics {
  /** A sum that only grows, one per combination of label values. */
  counter(name: MetricName, labels?: readonly string[]): (...values: string[]) => Counter
  /** Durations, one set per combination of label values. */
  timer(name: MetricName, labels?: readonly string[], bounds?: readonly number[]): (...values: string[]) => Timer
  /** A value that is read at each scrape; undefined leaves the metric out. */
  gauge(name: MetricName, read: () => number | undefined): void
  /** Several values that are read at each scrape, by the value of the label. */
  gauges(name: MetricName, label: string, read: () => Iterable<readonly [string, number]>): void
  families(): MetricFamily[]
}

/**
 * Our own registry: an observation costs one addition in the hot path and a scrape is synchronous; the libraries hash
 * the labels at every observation and are asynchronous.
 */
export function createMetrics(): Metrics {
  const readers: (() => MetricFamily)[] = []

  function remember<T>(make: () => T, kept: Map<string, [readonly string[], T]>): (...values: string[]) => T {
    return (...values) => {
      const key = values.length === 1 ? values[0]! : values.join('\0')
      let found = kept.get(key)
      if (!found) kept.set(key, (found = [values, make()]))
      return found[1]
    }
  }

  return {
    counter(name, labels = []) {
      const kept = new Map<string, [readonly string[], Counter & { total: number }]>()
      readers.push(() => ({
        ...name,
        type: 'counter',
        labels,
        values: Array.from(kept.values(), ([values, { total }]) => [values, total]),
      }))
      const make = () => ({
        total: 0,
        add(amount = 1) {
          this.total += amount
        },
      })
      return remember(make, kept)
    },
    timer(name, labels = [], bounds = defaultBounds) {
      const kept = new Map<string, [readonly string[], Timer & { times(): Times }]>()
      readers.push(() => ({
        ...name,
        type: bounds.length ? 'histogram' : 'summary',
        labels,
        values: Array.from(kept.values(), ([values, timer]) => [values, timer.times()]),
      }))
      return remember(() => createTimer(bounds), kept)
    },
    gauge(name, read) {
      readers.push(() => {
        const value = read()
        return { ...name, type: 'gauge', labels: [], values: value === undefined ? [] : [[[], value]] }
      })
    },
    gauges(name, label, read) {
      readers.push(() => ({
        ...name,
        type: 'gauge',
        labels: [label],
        values: Array.from(read(), ([key, value]) => [[key], value]),
      }))
    },
    families: () => readers.map((read) => read()),
  }
}

function createTimer(bounds: readonly number[]): Timer & { times(): Times } {
  const counts = new Array<number>(bounds.length + 1).fill(0)
  let count = 0
  let sum = 0
  return {
    observe(seconds) {
      let i = 0
      while (i < bounds.length && seconds > bounds[i]!) i++
      counts[i]!++
      count++
      sum += seconds
    },
    times: () => ({ bounds, counts: [...counts], count, sum }),
  }
}
