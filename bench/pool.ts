import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { encodeRlp } from '../src/primitives/rlp.ts'
import type { PoolFigures } from './poolCase.ts'
import { round } from './rate.ts'
import { signedTransfers } from './signedTransfers.ts'
import type { BenchTable } from './table.ts'

const count = 100_000
const senderCounts = [1, 1000, 100_000]

/** Runs in a process of its own, so that memory is that of the pool and nothing before it. */
function measure(senders: number, folder: string): PoolFigures {
  const file = join(folder, String(senders))
  writeFileSync(file, encodeRlp(signedTransfers(count, senders)))
  const program = fileURLToPath(new URL('./poolCase.js', import.meta.url))
  const { stdout, status } = spawnSync(process.execPath, [program, file], { stdio: ['ignore', 'pipe', 'inherit'] })
  if (status !== 0) throw new Error(`the case of ${senders} senders failed`)
  return JSON.parse(stdout.toString()) as PoolFigures
}

async function run(): Promise<BenchTable> {
  const folder = mkdtempSync(join(tmpdir(), 'quoin-bench-pool-'))
  try {
    const cases = senderCounts.map((senders) => ({ senders, ...measure(senders, folder) }))
    const rows = cases.map((c) => [
      round(c.senders),
      round(c.insertsPerSecond),
      round(c.grownMegabytes),
      round(c.buildMilliseconds),
      round(c.headMilliseconds),
      round(c.evictionsPerSecond),
    ])
    const columns = [
      'senders',
      'inserts/s',
      'RSS grown, MB',
      'pick 1,000, ms',
      'head of 1,000, ms',
      'inserts/s when full',
    ]
    return { title: `Pool of ${round(count)} pending transactions`, columns, rows, json: cases }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

export const bench = {
  name: 'pool',
  doc: 'Filling the pool through decoding, off-thread recovery and all checks; memory; picking a block; a new head.',
  run,
}
