/** Besu's categories of measures, and what their names start with where Prometheus reads them. */
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

/** What is measured: its place, and a line about it. */
export interface MetricName {
  readonly category: MetricCategory
  readonly name: string
  readonly help: string
}

/** Times that were observed: how many took at most so many seconds. Without bounds only their number and sum are kept. */
export interface Times {
  readonly bounds: readonly number[]
  /** For each bound those between it and the one before; the last ones are above all bounds. */
  readonly counts: readonly number[]
  readonly count: number
  readonly sum: number
}

export type MetricValue = number | Times

/** All values of one measure, by the values of its labels. */
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

/** Upper bounds in seconds: those of Prometheus's own clients, and some for what is quick. */
const defaultBounds = [0.0005, 0.001, 0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10]

/** What the program measures of itself. */
export interface Metrics {
  /** A sum that only grows, for each combination of values of the labels. */
  counter(name: MetricName, labels?: readonly string[]): (...values: string[]) => Counter
  /** Durations, for each combination of values of the labels. */
  timer(name: MetricName, labels?: readonly string[], bounds?: readonly number[]): (...values: string[]) => Timer
  /** A value that is read when somebody asks; undefined where there is none. */
  gauge(name: MetricName, read: () => number | undefined): void
  /** Several values that are read when somebody asks. */
  gauges(name: MetricName, label: string, read: () => Iterable<readonly [string, number]>): void
  families(): MetricFamily[]
}

/**
 * The registry is our own because a measure costs an addition in the hot path and an answer is made at once, without
 * waiting; the libraries for it hash labels with every step and answer later.
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
