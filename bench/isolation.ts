import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { Worker } from 'node:worker_threads'
import { packageRoot } from '../src/primitives/packageRoot.ts'
import type { HammerCount, HammerTask } from './isolation/hammerWorker.ts'
import type { ProbeResult, ProbeTask } from './isolation/probeWorker.ts'
import { type Consortium, consortia } from './qbft/consortium.ts'
import { applyLoad } from './qbft/load.ts'
import type { BenchOptions, BenchTable } from './table.ts'

const takes = { clients: 'N', rate: 'TPS', seconds: 'S', peers: 'NAMES' }

interface Measured {
  readonly name: string
  readonly clients: number
  readonly mined: number
  readonly blocks: number
  /** Seconds between two blocks at most. */
  readonly slowest: number
  /** Milliseconds of eth_blockNumber. */
  readonly p50: number
  readonly p99: number
  readonly worst: number
  /** Answers to heavy calls, and errors. */
  readonly heavy: readonly HammerCount[]
  /** Megabytes of the readers of the first node, largest sum. */
  readonly readers: number
}

function startThread<T>(file: string, task: HammerTask | ProbeTask): () => Promise<T> {
  const worker = new Worker(new URL(file, import.meta.url), { workerData: task })
  return async () => {
    worker.postMessage('stop')
    const [result] = (await once(worker, 'message')) as [T]
    await worker.terminate()
    return result
  }
}

/** Anonymous memory of the processes that a process has started, in MB. */
function childMemory(pid: number): number {
  let sum = 0
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue
    try {
      const status = readFileSync(`/proc/${name}/status`, 'utf8')
      if (Number(/PPid:\s+(\d+)/.exec(status)?.[1]) === pid) sum += Number(/RssAnon:\s+(\d+)/.exec(status)?.[1] ?? 0)
    } catch {
      // It has ended.
    }
  }
  return sum / 1024
}

async function measure(consortium: Consortium, clients: number, rate: number, seconds: number): Promise<Measured> {
  const { urls, graphqlUrl, pids } = consortium
  let probe: ProbeResult = { latencies: [], blocks: [] }
  let heavy: HammerCount[] = []
  let readers = 0
  const load = await applyLoad(consortium, 'ERC-20 transfers', rate, seconds, async (send) => {
    const stopProbe = startThread<ProbeResult>('./isolation/probeWorker.js', { url: urls[0]!, witness: urls[1]! })
    const stopHammer =
      clients > 0
        ? startThread<HammerCount[]>('./isolation/hammerWorker.js', { url: urls[0]!, graphqlUrl, clients })
        : undefined
    const memory = setInterval(() => {
      readers = Math.max(readers, childMemory(pids[0]!))
    }, 1000)
    await send()
    clearInterval(memory)
    heavy = (await stopHammer?.()) ?? []
    probe = await stopProbe()
  })
  const sorted = [...probe.latencies].sort((a, b) => a - b)
  const gaps = probe.blocks.slice(1).map((at, i) => at - probe.blocks[i]!)
  return {
    name: consortium.name,
    clients,
    mined: load.mined,
    blocks: probe.blocks.length,
    slowest: Math.max(0, ...gaps) / 1000,
    p50: sorted[Math.floor(sorted.length * 0.5)] ?? Number.NaN,
    p99: sorted[Math.floor(sorted.length * 0.99)] ?? Number.NaN,
    worst: sorted.at(-1) ?? Number.NaN,
    heavy,
    readers,
  }
}

async function run(options: BenchOptions<typeof takes>): Promise<BenchTable> {
  const rate = options.number('rate', 300)
  const seconds = options.number('seconds', 60)
  const clients = options.number('clients', 32)
  const peersDir = resolve(packageRoot, options.text('peers-dir', '../shared/peers'))
  const names = [
    'quoin',
    ...options.text('peers', 'besu,geth').split(',').filter(Boolean),
  ] as (keyof typeof consortia)[]
  const results: Measured[] = []
  // The nodes take options from the environment, too.
  process.env['QUOIN_RPC_READERS'] ??= '2'
  for (const [i, name] of names.entries()) {
    const folder = mkdtempSync(join(tmpdir(), 'quoin-bench-isolation-'))
    try {
      const consortium = await consortia[name](folder, 26_000 + 100 * i, peersDir)
      try {
        for (const count of [0, clients]) results.push(await measure(consortium, count, rate, seconds))
      } finally {
        await consortium.stop()
      }
    } catch (error) {
      if (name === 'quoin') throw error
      process.stderr.write(`Without ${name}: ${(error as Error).message}\n`)
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  }
  for (const { name, heavy } of results)
    for (const { name: method, answered, refused, error } of heavy)
      process.stderr.write(`${name} ${method}: ${answered} answered, ${refused} not${error ? `: ${error}` : ''}\n`)
  return {
    title: `4 validators, blocks each second, ${rate} transactions a second; heavy calls to the first, ${seconds} s`,
    columns: [
      '',
      'clients',
      'mined',
      'blocks',
      'slowest, s',
      'p50, ms',
      'p99, ms',
      'worst, ms',
      'heavy',
      'readers, MB',
    ],
    rows: results.map((row) => [
      row.name,
      String(row.clients),
      ...[row.mined, row.blocks].map(String),
      row.slowest.toFixed(2),
      ...[row.p50, row.p99, row.worst].map((time) => time.toFixed(1)),
      String(row.heavy.reduce((sum, { answered }) => sum + answered, 0)),
      row.readers.toFixed(0),
    ]),
    json: { rate, seconds, rows: results },
  }
}

export const bench = {
  name: 'isolation',
  doc: 'Blocks and eth_blockNumber while clients send the heaviest calls.',
  takes,
  run,
}
