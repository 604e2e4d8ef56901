import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { packageRoot } from '../src/primitives/packageRoot.ts'
import { type Consortium, consortia, cpuTime, followMemory, type PeakMemory, startQuoin } from './qbft/consortium.ts'
import { applyLoad, type LoadResult, type Workload, workloads } from './qbft/load.ts'
import { round } from './rate.ts'
import type { BenchOptions, BenchTable } from './table.ts'

interface Measured extends LoadResult {
  readonly name: string
  readonly workload: Workload
  readonly memory: PeakMemory
  /** Milliseconds of CPU time that a mined transaction took each validator, all of its threads together. */
  readonly cpuPerTx: number
  /** The same of the one who sent and followed the transactions. */
  readonly senderCpuPerTx: number
}

async function measure(consortium: Consortium, workload: Workload, rate: number, seconds: number): Promise<Measured> {
  let cpu = 0
  let senderCpu = 0
  const memory = followMemory(consortium)
  const result = await applyLoad(consortium.urls, workload, rate, seconds, async (load) => {
    const before = cpuTime(consortium)
    const senderBefore = process.cpuUsage()
    await load()
    cpu = cpuTime(consortium) - before
    const { user, system } = process.cpuUsage(senderBefore)
    senderCpu = (user + system) / 1000
  })
  return {
    name: consortium.name,
    workload,
    ...result,
    memory: memory(),
    cpuPerTx: cpu / consortium.pids.length / result.mined,
    senderCpuPerTx: senderCpu / result.mined,
  }
}

type Start = (folder: string, basePort: number) => Promise<Consortium>

/** Measures all workloads on a network that lasts only for this, and takes what each found. */
async function measureAll(
  start: Start,
  basePort: number,
  each: (c: Consortium, w: Workload) => Promise<void>,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'quoin-bench-qbft-'))
  try {
    const consortium = await start(folder, basePort)
    try {
      for (const workload of workloads) await each(consortium, workload)
    } finally {
      await consortium.stop()
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function medianOf(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[(numbers.length - 1) >> 1]!
}

/** The results of each network and workload. */
function groupsOf(results: readonly Measured[]): Measured[][] {
  const groups = new Map<string, Measured[]>()
  for (const one of results) {
    const key = `${one.name}, ${one.workload}`
    groups.set(key, [...(groups.get(key) ?? []), one])
  }
  return [...groups.values()]
}

/** One row for all rounds of a network and workload: the median of each figure. */
function rowOf(rounds: readonly Measured[]): string[] {
  const median = (figure: (one: Measured) => number) => medianOf(rounds.map(figure))
  const figures: ((one: Measured) => number)[] = [
    (one) => one.accepted,
    (one) => one.refused,
    (one) => one.mined,
    (one) => one.perSecond,
    (one) => one.p50,
    (one) => one.p99,
    (one) => one.blocks,
    (one) => one.slowest,
    (one) => one.memory.resident,
    (one) => one.memory.anonymous,
  ]
  const { name, workload } = rounds[0]!
  const cpu = rounds.map((one) => one.cpuPerTx)
  // A network that mined nothing has no figure per transaction.
  const told = (n: number, text: (n: number) => string) => (Number.isFinite(n) ? text(n) : 'none')
  const milliseconds = (n: number) => told(n, () => n.toFixed(3))
  return [
    `${name}, ${workload}`,
    ...figures.map((figure) => told(median(figure), round)),
    milliseconds(median((one) => one.cpuPerTx)),
    `${milliseconds(Math.min(...cpu))}–${milliseconds(Math.max(...cpu))}`,
    milliseconds(median((one) => one.senderCpuPerTx)),
  ]
}

async function run(options: BenchOptions): Promise<BenchTable> {
  const rate = options.number('rate', 1200)
  const seconds = options.number('seconds', 180)
  const peersDir = resolve(packageRoot, options.text('peers-dir', '../shared/peers'))
  const beside = options.text('beside', '')
  const peers = options.text('peers', 'besu').split(',').filter(Boolean) as (keyof typeof consortia)[]
  const starts: Start[] = [
    startQuoin,
    ...(beside ? [(folder: string, port: number) => startQuoin(folder, port, resolve(beside))] : []),
    ...peers.map((name) => (folder: string, port: number) => consortia[name](folder, port, peersDir)),
  ]
  const results: Measured[] = []
  // In turn, so that what else the machine does meets all of them alike.
  for (let number = 0; number < options.number('rounds', 1); number++)
    for (const [i, start] of starts.entries())
      try {
        await measureAll(start, 25_000 + 100 * i, async (consortium, workload) => {
          results.push(await measure(consortium, workload, rate, seconds))
        })
      } catch (error) {
        if (i === 0) throw error
        process.stderr.write(`Without all of one network: ${(error as Error).message}\n`)
      }
  return {
    title: `4 QBFT validators, blocks each second, ${round(rate)} transactions a second offered for ${seconds} s`,
    columns: [
      '',
      'accepted',
      'refused',
      'mined',
      'mined/s',
      'p50, ms',
      'p99, ms',
      'blocks',
      'slowest, s',
      'peak MB',
      'anonymous',
      'CPU ms/tx',
      'from–to',
      'sender ms/tx',
    ],
    rows: groupsOf(results).map(rowOf),
    json: { rate, seconds, rows: results },
  }
}

export const bench = {
  name: 'qbft',
  doc: 'A network of 4 validators under load, beside one of Besu or of another build (--rate TPS, --seconds S, --rounds N, --beside DIR, --peers NAMES, --peers-dir DIR).',
  run,
}
