import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { Address } from '../src/primitives/bytes.ts'
import { packageRoot } from '../src/primitives/packageRoot.ts'
import { bigIntToFixed } from '../src/primitives/u256.ts'
import { folderSize } from './folderSize.ts'
import { readPages } from './index/readPages.ts'
import { round } from './rate.ts'
import { medianOf } from './spread.ts'
import { prepareChain } from './sync/preparedChain.ts'
import type { BenchOptions, BenchTable } from './table.ts'

const takes = { blocks: 'N', rounds: 'N' }

/** What one run took. */
interface Use {
  readonly seconds: number
  readonly cpuSeconds: number
}

const programs = { import: 'importQuoin.js', production: 'indexProduction.js' } as const
type Work = keyof typeof programs

async function measure(work: Work, args: readonly string[]): Promise<Use> {
  const program = join(packageRoot, 'dist/bench', programs[work])
  const child = spawn(process.execPath, [program, ...args], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [output] = await Promise.all([text(child.stdout), once(child, 'close')])
  if (child.exitCode !== 0) throw new Error(`${work} has failed`)
  return JSON.parse(output) as Use
}

/** Median of the ratios of neighbouring runs: what else the machine does changes slowly. */
function slowdown(on: readonly Use[], off: readonly Use[], of: (use: Use) => number): number {
  return medianOf(on.map((use, i) => of(use) / of(off[i]!)))
}

const token = bigIntToFixed(0x70cen, 20) as Address

async function run(options: BenchOptions<typeof takes>): Promise<BenchTable> {
  const chain = await prepareChain(options.number('blocks', 2000))
  const rounds = options.number('rounds', 5)
  const blocks = join(chain.folder, 'chain.rlp')
  const folder = mkdtempSync(join(tmpdir(), 'quoin-bench-index-'))
  const rows: string[][] = []
  const results: Record<string, object> = {}
  try {
    const sizes = { on: 0, off: 0 }
    for (const work of ['import', 'production'] as const) {
      const uses: Record<'on' | 'off', Use[]> = { on: [], off: [] }
      for (let i = 0; i < rounds; i++)
        for (const mode of ['off', 'on'] as const) {
          const data = join(folder, mode)
          rmSync(data, { recursive: true, force: true })
          uses[mode].push(await measure(work, [chain.genesis, blocks, data, String(mode === 'on')]))
          sizes[mode] = folderSize(data)
        }
      for (const mode of ['off', 'on'] as const)
        rows.push([
          `${work}, index ${mode}`,
          round(medianOf(uses[mode].map(({ seconds }) => seconds))),
          round(medianOf(uses[mode].map(({ cpuSeconds }) => cpuSeconds))),
          mode === 'off' ? '' : slowdown(uses.on, uses.off, ({ seconds }) => seconds).toFixed(3),
          mode === 'off' ? '' : slowdown(uses.on, uses.off, ({ cpuSeconds }) => cpuSeconds).toFixed(3),
          round(sizes[mode] / 1e6),
        ])
      results[work] = uses
    }
    const pages = await readPages(join(folder, 'on'), chain.genesis, token)
    return {
      title:
        `${chain.blocks} blocks with ${chain.transactions} token transfers, index of accounts off and on in turn, ${rounds} rounds. ` +
        `A page of 25 of an account with ${pages.appearances} transactions: newest ${pages.newest.toFixed(1)} ms, ` +
        `middle ${pages.middle.toFixed(1)} ms, oldest ${pages.oldest.toFixed(1)} ms`,
      columns: ['', 'seconds', 'CPU seconds', 'seconds on/off', 'CPU on/off', 'MB'],
      rows,
      json: { chain, results, pages },
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

export const bench = {
  name: 'index',
  doc: 'Import and production of blocks with the index of accounts off and on, in turn.',
  takes,
  run,
}
