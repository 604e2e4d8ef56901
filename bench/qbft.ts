import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { packageRoot } from '../src/primitives/packageRoot.ts'
import { type Consortium, consortia, cpuTime, followMemory, type PeakMemory } from './qbft/consortium.ts'
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

async function run(options: BenchOptions): Promise<BenchTable> {
  const rate = options.number('rate', 1200)
  const seconds = options.number('seconds', 180)
  const peersDir = resolve(packageRoot, options.text('peers-dir', '../shared/peers'))
  const names = ['quoin', ...options.text('peers', 'besu').split(',').filter(Boolean)] as (keyof typeof consortia)[]
  const results: Measured[] = []
  for (const [i, name] of names.entries()) {
    const folder = mkdtempSync(join(tmpdir(), 'quoin-bench-qbft-'))
    try {
      const consortium = await consortia[name](folder, 25_000 + 100 * i, peersDir)
      try {
        for (const workload of workloads) results.push(await measure(consortium, workload, rate, seconds))
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
  return {
    title: `4 QBFT validators, blocks each second, ${round(rate)} transactions a second offered for ${seconds} s`,
    columns: [
      '',
      'accepted',
      'mined',
      'mined/s',
      'p50, ms',
      'p99, ms',
      'blocks',
      'slowest, s',
      'peak MB',
      'anonymous',
      'CPU ms/tx',
      'sender ms/tx',
    ],
    rows: results.map((row) => [
      `${row.name}, ${row.workload}`,
      ...[row.accepted, row.mined, row.perSecond, row.p50, row.p99, row.blocks, row.slowest].map(round),
      ...[row.memory.resident, row.memory.anonymous].map(round),
      row.cpuPerTx.toFixed(2),
      row.senderCpuPerTx.toFixed(2),
    ]),
    json: { rate, seconds, rows: results },
  }
}

export const bench = {
  name: 'qbft',
  doc: 'A network of 4 validators under load, beside one of Besu (--rate TPS, --seconds S, --peers NAMES, --peers-dir DIR).',
  run,
}
