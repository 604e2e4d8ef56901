import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { packageRoot } from '../src/primitives/packageRoot.ts'
import { round } from './rate.ts'
import { leaveOut } from './report/leaveOut.ts'
import { formatSpread, medianOf, spreadOf } from './spread.ts'
import { measureSync, type SyncResult } from './sync/measureSync.ts'
import { type PreparedChain, prepareChain } from './sync/preparedChain.ts'
import { geth, quoin, type SyncClient } from './sync/syncClients.ts'
import type { BenchOptions, BenchTable } from './table.ts'

const takes = { blocks: 'N', rounds: 'N', 'node-options': 'TEXT', peers: 'NAMES' }

/** Clients sync in turn; one that cannot is left out of further rounds. */
async function syncInTurn(
  clients: ReadonlySet<SyncClient>,
  chain: PreparedChain,
  rounds: number,
): Promise<Map<string, SyncResult[]>> {
  const results = new Map<string, SyncResult[]>()
  const left = new Set(clients)
  for (let i = 0; i < rounds; i++)
    for (const client of left) {
      const folder = mkdtempSync(join(tmpdir(), 'quoin-bench-sync-'))
      try {
        const result = await measureSync(client, chain, join(folder, 'data'))
        results.set(client.name, [...(results.get(client.name) ?? []), result])
        process.stderr.write(`${client.name}: ${round(result.seconds)} s\n`)
      } catch (error) {
        if (client.name === 'Quoin') throw error
        left.delete(client)
        leaveOut(client.name, error)
      } finally {
        rmSync(folder, { recursive: true, force: true })
      }
    }
  return results
}

async function run(options: BenchOptions<typeof takes>): Promise<BenchTable> {
  const chain = await prepareChain(options.number('blocks', 10_000))
  const rounds = options.number('rounds', 3)
  const program = resolve(packageRoot, options.text('peers-dir', '../shared/peers'), 'geth/geth')
  const nodeOptions = options.text('node-options', '').split(' ').filter(Boolean)
  const all: Readonly<Record<string, SyncClient>> = { quoin: quoin(nodeOptions), geth: geth(program) }
  const names = ['quoin', ...options.text('peers', 'geth').split(',').filter(Boolean)]
  const clients = names.map((name) => {
    const client = all[name]
    if (!client) throw new Error(`there is no client '${name}' to sync with`)
    return client
  })
  const results = [...(await syncInTurn(new Set(clients), chain, rounds))].map(([name, measured]) => ({
    name,
    seconds: spreadOf(measured.map(({ seconds }) => seconds)),
    cpuSeconds: spreadOf(measured.map(({ cpuSeconds = 0 }) => cpuSeconds)),
    peakBytes: medianOf(measured.map(({ peakBytes = 0 }) => peakBytes)),
    peakOwnBytes: medianOf(measured.map(({ peakOwnBytes = 0 }) => peakOwnBytes)),
  }))
  const [own, peer] = results
  return {
    title: `Sync over loopback: ${round(chain.blocks)} blocks, ${round(chain.transactions)} transfers, ${round(chain.gas / 1e9)} Ggas, medians of ${rounds} rounds in turn`,
    columns: ['client', 'seconds', 'spread', 'blocks/s', 'Mgas/s', 'CPU seconds', 'peak MB', 'without file cache'],
    rows: results.map(({ name, seconds, cpuSeconds, peakBytes, peakOwnBytes }) => [
      `${name} from ${name}`,
      round(seconds.median),
      formatSpread(seconds),
      round(chain.blocks / seconds.median),
      round(chain.gas / seconds.median / 1e6),
      round(cpuSeconds.median),
      round(peakBytes / 1e6),
      round(peakOwnBytes / 1e6),
    ]),
    json: {
      chain: { blocks: chain.blocks, transactions: chain.transactions, gas: chain.gas, head: chain.head },
      rounds,
      results,
      ratio: { geth: own && peer && own.seconds.median / peer.seconds.median },
    },
  }
}

export const bench = {
  name: 'sync',
  doc: 'A chain of token transfers synced from a peer of the same kind, Quoin and geth in turn.',
  takes,
  run,
}
