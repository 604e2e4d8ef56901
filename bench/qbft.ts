import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { packageRoot } from '../src/primitives/packageRoot.ts'
import { consortia, peakMemory } from './qbft/consortium.ts'
import { applyLoad, type LoadResult, type Workload, workloads } from './qbft/load.ts'
import { round } from './rate.ts'
import type { BenchOptions, BenchTable } from './table.ts'

interface Measured extends LoadResult {
  readonly name: string
  readonly workload: Workload
  readonly memory: number
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
        for (const workload of workloads) {
          const result = await applyLoad(consortium.urls, workload, rate, seconds)
          results.push({ name: consortium.name, workload, memory: peakMemory(consortium), ...result })
        }
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
    columns: ['', 'accepted', 'mined', 'mined/s', 'p50, ms', 'p99, ms', 'blocks', 'peak MB'],
    rows: results.map(({ name, workload, accepted, mined, perSecond, p50, p99, blocks, memory }) => [
      `${name}, ${workload}`,
      ...[accepted, mined, perSecond, p50, p99, blocks, memory].map(round),
    ]),
    json: { rate, seconds, rows: results },
  }
}

export const bench = {
  name: 'qbft',
  doc: 'A network of 4 validators under load, beside one of Besu (--rate TPS, --seconds S, --peers NAMES, --peers-dir DIR).',
  run,
}
