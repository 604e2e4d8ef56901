import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { packageRoot } from '../src/primitives/packageRoot.ts'
import type { ImportResult } from './import/importer.ts'
import { importWithGeth, importWithQuoin } from './import/importers.ts'
import { makeChain } from './import/makeChain.ts'
import { round } from './rate.ts'
import type { BenchOptions, BenchTable } from './table.ts'

async function run(options: BenchOptions): Promise<BenchTable> {
  const chain = makeChain(options.number('blocks', 2000), options.number('gas', 30_000_000))
  const geth = resolve(packageRoot, options.text('peers-dir', '../shared/peers'), 'geth/geth')
  const folder = mkdtempSync(join(tmpdir(), 'quoin-bench-import-'))
  const results = new Map<string, ImportResult>()
  try {
    results.set('Quoin', await importWithQuoin(chain, join(folder, 'quoin')))
    try {
      results.set('geth 1.13.15', await importWithGeth(chain, join(folder, 'geth'), geth))
    } catch (error) {
      process.stderr.write(`geth is left out: ${(error as Error).message}\n`)
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  for (const [name, { head }] of results)
    if (head !== chain.head) throw new Error(`${name} came to ${head}, not to ${chain.head}`)

  const speed = ({ seconds }: ImportResult) => chain.gas / seconds / 1e6
  const rows = [...results].map(([name, result]) => [
    name,
    round(speed(result)),
    round(result.seconds),
    result.cpuSeconds === undefined ? '' : round(result.cpuSeconds),
    result.peakBytes === undefined ? '' : round(result.peakBytes / 1e6),
  ])
  const [quoin, peer] = [...results.values()]
  return {
    title: `Import of ${round(chain.gas / 1e9)} Ggas in ${chain.transactions} transactions, head ${chain.head}`,
    columns: ['client', 'Mgas/s', 'seconds', 'CPU seconds', 'peak MB'],
    rows,
    json: {
      chain: { gas: chain.gas, transactions: chain.transactions, head: chain.head },
      results: Object.fromEntries([...results].map(([name, r]) => [name, { ...r, mgasPerSecond: speed(r) }])),
      ratio: { geth: peer && speed(quoin!) / speed(peer) },
    },
  }
}

export const bench = {
  name: 'import',
  doc: 'Import of full blocks from a file, by Quoin and by `geth import` (--blocks N, --gas G, --peers-dir DIR).',
  run,
}
