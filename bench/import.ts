import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { packageRoot } from '../src/primitives/packageRoot.ts'
import type { ChainFiles, ImportResult } from './import/importer.ts'
import { importWithGeth, importWithQuoin } from './import/importers.ts'
import { makeChain } from './import/makeChain.ts'
import { round } from './rate.ts'
import { leaveOut } from './report/leaveOut.ts'
import { formatSpread, medianOf, spreadOf } from './spread.ts'
import type { BenchOptions, BenchTable } from './table.ts'

const takes = { blocks: 'N', gas: 'G', rounds: 'N' }

/** Imports in turn; a client that cannot is left out of further rounds. */
async function importInTurn(chain: ChainFiles, rounds: number, geth: string): Promise<Map<string, ImportResult[]>> {
  const clients = new Map<string, (data: string) => Promise<ImportResult>>([
    ['Quoin', (data) => importWithQuoin(chain, data)],
    ['geth 1.13.15', (data) => importWithGeth(chain, data, geth)],
  ])
  const results = new Map<string, ImportResult[]>()
  for (let i = 0; i < rounds; i++)
    for (const [name, importWith] of clients) {
      const folder = mkdtempSync(join(tmpdir(), 'quoin-bench-import-'))
      try {
        const result = await importWith(join(folder, 'data'))
        if (result.head !== chain.head) throw new Error(`${name} came to ${result.head}, not to ${chain.head}`)
        results.set(name, [...(results.get(name) ?? []), result])
        process.stderr.write(`${name}: ${round(result.seconds)} s\n`)
      } catch (error) {
        if (name === 'Quoin') throw error
        clients.delete(name)
        leaveOut(name, error)
      } finally {
        rmSync(folder, { recursive: true, force: true })
      }
    }
  return results
}

async function run(options: BenchOptions<typeof takes>): Promise<BenchTable> {
  const chain = makeChain(options.number('blocks', 2000), options.number('gas', 30_000_000))
  const rounds = options.number('rounds', 3)
  const geth = resolve(packageRoot, options.text('peers-dir', '../shared/peers'), 'geth/geth')
  const results = [...(await importInTurn(chain, rounds, geth))].map(([name, all]) => ({
    name,
    seconds: spreadOf(all.map(({ seconds }) => seconds)),
    cpuSeconds: spreadOf(all.map(({ cpuSeconds = 0 }) => cpuSeconds)),
    peakBytes: medianOf(all.map(({ peakBytes = 0 }) => peakBytes)),
  }))
  const [quoin, peer] = results
  return {
    title: `Import of ${round(chain.gas / 1e9)} Ggas in ${round(chain.transactions)} transactions, medians of ${rounds} rounds in turn`,
    columns: ['client', 'Mgas/s', 'seconds', 'spread', 'CPU seconds', 'spread', 'peak MB'],
    rows: results.map(({ name, seconds, cpuSeconds, peakBytes }) => [
      name,
      round(chain.gas / seconds.median / 1e6),
      round(seconds.median),
      formatSpread(seconds),
      round(cpuSeconds.median),
      formatSpread(cpuSeconds),
      round(peakBytes / 1e6),
    ]),
    json: {
      chain: { gas: chain.gas, transactions: chain.transactions, head: chain.head },
      rounds,
      results,
      ratio: peer && {
        seconds: peer.seconds.median / quoin!.seconds.median,
        cpuSeconds: peer.cpuSeconds.median / quoin!.cpuSeconds.median,
      },
    },
  }
}

export const bench = {
  name: 'import',
  doc: 'Import of full blocks from a file, by Quoin and by `geth import` in turn.',
  takes,
  run,
}
