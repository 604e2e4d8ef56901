import { readdirSync, readFileSync } from 'node:fs'
import { monitorEventLoopDelay, type PerformanceEntry, PerformanceObserver, performance } from 'node:perf_hooks'
import { getHeapSpaceStatistics, getHeapStatistics } from 'node:v8'
import type { Metrics } from './metrics.ts'

/** Kinds of garbage collection, by the numbers that V8 gives them. */
const collectors: Readonly<Record<number, string>> = { 1: 'minor', 4: 'major', 8: 'incremental', 16: 'weak callbacks' }

/** Measures the process and the JavaScript runtime (as `jvm`, for Besu's dashboards); returns a function that stops it. */
export function measureRuntime(metrics: Metrics): () => void {
  measureHeap(metrics)
  measureProcess(metrics)
  const stops = [measureCollections(metrics), measureEventLoop(metrics)]
  return () => {
    for (const stop of stops) stop()
  }
}

function measureHeap(metrics: Metrics): void {
  const jvm = (name: string, help: string) => ({ category: 'jvm' as const, name, help })
  metrics.gauges(jvm('memory_bytes_used', 'Bytes in use.'), 'area', () => {
    const { heapUsed, external } = process.memoryUsage()
    return [
      ['heap', heapUsed],
      ['nonheap', external],
    ]
  })
  metrics.gauges(jvm('memory_bytes_committed', 'Bytes taken from the system.'), 'area', () => {
    const { heapTotal, external } = process.memoryUsage()
    return [
      ['heap', heapTotal],
      ['nonheap', external],
    ]
  })
  metrics.gauges(jvm('memory_bytes_max', 'Bytes that may be taken.'), 'area', () => [
    ['heap', getHeapStatistics().heap_size_limit],
  ])
  const pool = (name: string, help: string, field: 'space_used_size' | 'space_size') =>
    metrics.gauges(jvm(name, help), 'pool', () =>
      getHeapSpaceStatistics().map((space) => [space.space_name, space[field]] as const),
    )
  pool('memory_pool_bytes_used', 'Bytes of a heap space in use.', 'space_used_size')
  pool('memory_pool_bytes_committed', 'Bytes of a heap space.', 'space_size')
  metrics.gauge(jvm('threads_current', 'Threads of the process.'), () =>
    numberIn('/proc/self/status', /^Threads:\s+(\d+)/m),
  )
}

function measureCollections(metrics: Metrics): () => void {
  const timer = metrics.timer(
    { category: 'jvm', name: 'gc_collection_seconds', help: 'Time that garbage collections took.' },
    ['gc'],
    [],
  )
  for (const kind of ['minor', 'major']) timer(kind)
  const observer = new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      const { kind } = (entry as PerformanceEntry & { readonly detail: { readonly kind: number } }).detail
      timer(collectors[kind] ?? String(kind)).observe(entry.duration / 1000)
    }
  })
  observer.observe({ entryTypes: ['gc'] })
  return () => observer.disconnect()
}

function measureEventLoop(metrics: Metrics): () => void {
  const delay = monitorEventLoopDelay({ resolution: 20 })
  delay.enable()
  metrics.gauges(
    {
      category: 'jvm',
      name: 'event_loop_delay_seconds',
      help: 'Delay of the event loop since the last reading.',
    },
    'statistic',
    () => {
      const seconds = (nanoseconds: number): number => (Number.isFinite(nanoseconds) ? nanoseconds / 1e9 : 0)
      const values = [
        ['mean', seconds(delay.mean)],
        ['p50', seconds(delay.percentile(50))],
        ['p99', seconds(delay.percentile(99))],
        ['max', seconds(delay.max)],
      ] as const
      delay.reset()
      return values
    },
  )
  metrics.gauge(
    { category: 'jvm', name: 'event_loop_utilization', help: 'Share of the time that the main thread was busy.' },
    () => performance.eventLoopUtilization().utilization,
  )
  return () => delay.disable()
}

function measureProcess(metrics: Metrics): void {
  const gauge = (name: string, help: string, read: () => number | undefined): void =>
    metrics.gauge({ category: 'process', name, help }, read)
  const started = performance.timeOrigin / 1000
  gauge('cpu_seconds_total', 'Processor time of the process.', () => {
    const { user, system } = process.cpuUsage()
    return (user + system) / 1e6
  })
  gauge('start_time_seconds', 'When the process started, in seconds since 1970.', () => started)
  gauge('resident_memory_bytes', 'Memory that the process takes.', () => process.memoryUsage.rss())
  gauge('virtual_memory_bytes', 'Address space that the process takes.', () => {
    const kilobytes = numberIn('/proc/self/status', /^VmSize:\s+(\d+)/m)
    return kilobytes === undefined ? undefined : 1024 * kilobytes
  })
  gauge('open_fds', 'Open files and sockets.', () => {
    try {
      return readdirSync('/proc/self/fd').length
    } catch {
      return undefined
    }
  })
  gauge('max_fds', 'Files and sockets that may be open.', () =>
    numberIn('/proc/self/limits', /^Max open files\s+(\d+)/m),
  )
}

/** A number in a file; undefined on systems without that file. */
function numberIn(file: string, pattern: RegExp): number | undefined {
  try {
    const found = pattern.exec(readFileSync(file, 'utf8'))?.[1]
    return found === undefined ? undefined : Number(found)
  } catch {
    return undefined
  }
}
