import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { packageRoot } from '../src/primitives/packageRoot.ts'
import { round } from './rate.ts'
import { measureSync, type SyncResult } from './sync/measureSync.ts'
import { prepareChain } from './sync/preparedChain.ts'
import { geth, quoin, type SyncClient } from './sync/syncClients.ts'
import type { BenchOptions, BenchTable } from './table.ts'

async function run(options: BenchOptions): Promise<BenchTable> {
  const chain = await prepareChain(options.number('blocks', 10_000))
  const program = resolve(packageRoot, options.text('peers-dir', '../shared/peers'), 'geth/geth')
  const nodeOptions = options.text('node-options', '').split(' ').filter(Boolean)
  const all: Readonly<Record<string, SyncClient>> = { quoin: quoin(nodeOptions), geth: geth(program) }
  const names = ['quoin', ...options.text('peers', 'geth').split(',').filter(Boolean)]
  const results = new Map<string, SyncResult>()
  for (const name of names) {
    const client = all[name]
    if (!client) throw new Error(`there is no client '${name}' to sync with`)
    const folder = mkdtempSync(join(tmpdir(), 'quoin-bench-sync-'))
    try {
      results.set(client.name, await measureSync(client, chain, join(folder, 'data')))
    } catch (error) {
      if (name === 'quoin') throw error
      process.stderr.write(`${client.name} is left out: ${(error as Error).message}\n`)
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  }
  const [own, peer] = [...results.values()]
  return {
    title: `Sync over loopback: ${chain.blocks} blocks, ${chain.transactions} transfers, ${round(chain.gas / 1e9)} Ggas`,
    columns: ['client', 'seconds', 'blocks/s', 'Mgas/s', 'CPU seconds', 'peak MB', 'without file cache'],
    rows: [...results].map(([name, { seconds, cpuSeconds, peakBytes, peakOwnBytes }]) => [
      `${name} from ${name}`,
      round(seconds),
      round(chain.blocks / seconds),
      round(chain.gas / seconds / 1e6),
      cpuSeconds === undefined ? '' : round(cpuSeconds),
      peakBytes === undefined ? '' : round(peakBytes / 1e6),
      peakOwnBytes === undefined ? '' : round(peakOwnBytes / 1e6),
    ]),
    json: {
      chain: { blocks: chain.blocks, transactions: chain.transactions, gas: chain.gas, head: chain.head },
      results: Object.fromEntries(results),
      ratio: { geth: own && peer && own.seconds / peer.seconds },
    },
  }
}

export const bench = {
  name: 'sync',
  doc: 'A chain of token transfers synced from a peer of the same kind, Quoin and geth (--blocks N, --peers NAMES, --peers-dir DIR).',
  run,
}
