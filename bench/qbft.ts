import { resolve } from 'node:path'
import { packageRoot } from '../src/primitives/packageRoot.ts'
import { consortia, startQuoin } from './qbft/consortium.ts'
import { type Workload, workloads } from './qbft/load.ts'
import { type Measured, measureLoad } from './qbft/measureLoad.ts'
import { type Start, startNetwork } from './qbft/network.ts'
import { fixedRateTable, sustainedTable } from './qbft/qbftTables.ts'
import { findSustained, type Sustained } from './qbft/sustainedRate.ts'
import { leaveOut } from './report/leaveOut.ts'
import type { BenchOptions, BenchTable } from './table.ts'

const takes = {
  seconds: 'S',
  probe: 'S',
  'warm-up': 'S',
  start: 'TPS',
  rate: 'TPS',
  rounds: 'N',
  only: 'NAMES',
  beside: 'DIR',
  peers: 'NAMES',
}

/** A client whose networks are measured. */
interface Client {
  readonly name: string
  readonly start: Start
  readonly basePort: number
  /** Without this one there is nothing to compare. */
  readonly isNeeded: boolean
}

function clientsOf(options: BenchOptions<typeof takes>): Client[] {
  const peersDir = resolve(packageRoot, options.text('peers-dir', '../shared/peers'))
  const beside = options.text('beside', '')
  const peers = options.text('peers', 'besu,geth').split(',').filter(Boolean)
  const unknown = peers.find((name) => !(name in consortia))
  if (unknown !== undefined) throw new Error(`--peers takes ${Object.keys(consortia).join(', ')}, not ${unknown}`)
  const starts: [name: string, start: Start][] = [
    ['Quoin', startQuoin],
    ...(beside ? [[beside, (folder, port) => startQuoin(folder, port, resolve(beside))] as [string, Start]] : []),
    ...peers.map((name): [string, Start] => [
      name,
      (folder, port) => consortia[name as keyof typeof consortia](folder, port, peersDir),
    ]),
  ]
  return starts.map(([name, start], i) => ({ name, start, basePort: 25_000 + 100 * i, isNeeded: i === 0 }))
}

/** Without a client that fails the others are measured all the same. */
async function unlessItFails({ name, isNeeded }: Client, what: string, work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (isNeeded) throw error
    leaveOut(`${what} of ${name}`, error)
  }
}

function chosenWorkloads(options: BenchOptions<typeof takes>): Workload[] {
  const only = options.text('only', '').split(',').filter(Boolean)
  const unknown = only.find((name) => !(name in workloads))
  if (unknown !== undefined) throw new Error(`--only takes ${Object.keys(workloads).join(', ')}, not ${unknown}`)
  return Object.entries(workloads).flatMap(([name, workload]) =>
    only.length === 0 || only.includes(name) ? [workload] : [],
  )
}

/** Offers all the same. In turn, so that what else the machine does meets all of them alike. */
async function measureFixed(options: BenchOptions<typeof takes>, rate: number): Promise<BenchTable> {
  const seconds = options.number('seconds', 180)
  const results: Measured[] = []
  for (let number = 0; number < options.number('rounds', 1); number++)
    for (const client of clientsOf(options))
      await unlessItFails(client, 'some', async () => {
        const { consortium, end } = await startNetwork(client.start, client.basePort)
        try {
          for (const workload of chosenWorkloads(options))
            results.push(await measureLoad(consortium, workload, rate, seconds))
        } finally {
          await end()
        }
      })
  return { ...fixedRateTable(rate, seconds, results), json: { rate, seconds, rows: results } }
}

/** Finds out what each sustains. */
async function measureSustained(options: BenchOptions<typeof takes>): Promise<BenchTable> {
  const settings = {
    range: { start: options.number('start', 100), lowest: 5, highest: 20_000, precision: 0.1 },
    seconds: options.number('seconds', 60),
    probeSeconds: options.number('probe', 10),
    warmUpSeconds: options.number('warm-up', 30),
  }
  const results: Sustained[] = []
  for (const workload of chosenWorkloads(options))
    for (const client of clientsOf(options))
      await unlessItFails(client, workload, async () => {
        results.push(await findSustained(client.start, client.basePort, workload, settings))
      })
  return { ...sustainedTable(settings.seconds, results), json: { ...settings, rows: results } }
}

export const bench = {
  name: 'qbft',
  doc: 'The highest rate of transactions that a network of 4 validators sustains, beside networks of Besu, of geth (Clique) or of another build; with --rate, what becomes of a rate that is the same for all.',
  takes,
  run(options: BenchOptions<typeof takes>): Promise<BenchTable> {
    const rate = options.number('rate', 0)
    return rate > 0 ? measureFixed(options, rate) : measureSustained(options)
  },
}
