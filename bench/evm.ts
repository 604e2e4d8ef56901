import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type PeerName, peers } from './evm/peers.ts'
import { createQuoinRunner } from './evm/quoinRunner.ts'
import type { Round, Runner } from './evm/runner.ts'
import { round } from './rate.ts'
import type { BenchOptions, BenchTable } from './table.ts'
import { gasOfCall, sender, type Workload } from './workloads/workload.ts'
import { workloads } from './workloads/workloads.ts'

const leastRounds = 3

async function run(options: BenchOptions): Promise<BenchTable> {
  const seconds = options.number('seconds', 1)
  const names = options
    .text('peers', 'geth')
    .split(',')
    .filter((name) => name !== '')
  const folder = mkdtempSync(join(tmpdir(), 'quoin-bench-evm-'))
  const file = join(folder, 'workloads.json')
  writeFileSync(file, JSON.stringify({ sender, gas: gasOfCall, workloads }))
  const runners = [createQuoinRunner(), ...names.flatMap((name) => startPeer(name, file))]
  const speeds: number[][] = []
  try {
    for (const workload of workloads) speeds.push(await measure(workload, runners, seconds))
  } finally {
    await Promise.all(runners.map((runner) => runner.close()))
    rmSync(folder, { recursive: true })
  }
  return tableOf(
    speeds,
    runners.slice(1).map(({ name }) => name as PeerName),
  )
}

function startPeer(name: string, file: string): Runner[] {
  if (!Object.hasOwn(peers, name)) throw new Error(`no peer ${name}; there are ${Object.keys(peers).join(', ')}`)
  try {
    return [peers[name as PeerName].start(file)]
  } catch (error) {
    process.stderr.write(`Without ${name}: ${(error as Error).message}\n`)
    return []
  }
}

/** Best speed of each interpreter in Mgas/s. They take turns, so that what else the machine does hits all alike. */
async function measure(workload: Workload, runners: readonly Runner[], seconds: number): Promise<number[]> {
  const best = runners.map(() => 0)
  const end = performance.now() + seconds * runners.length * 1000
  for (let rounds = 0; rounds < leastRounds || performance.now() < end; rounds++) {
    const results: Round[] = []
    for (const runner of runners) results.push(await runner.run(workload))
    results.forEach((result, i) => {
      const { gas, output } = results[0]!
      if (result.gas !== gas || result.output !== output)
        throw new Error(`${runners[i]!.name} and quoin differ in ${workload.name}`)
      best[i] = Math.max(best[i]!, gas / result.seconds / 1e6)
    })
  }
  return best
}

function tableOf(speeds: readonly (readonly number[])[], names: readonly PeerName[]): BenchTable {
  const ratios = names.map((_, i) => speeds.map((row) => row[0]! / row[i + 1]!))
  const means = ratios.map((column) => Math.exp(column.reduce((sum, r) => sum + Math.log(r), 0) / column.length))
  const rows = workloads.map(({ name }, w) => [
    name,
    ...speeds[w]!.map(round),
    ...ratios.map((column) => column[w]!.toFixed(2)),
  ])
  const blanks = speeds[0]!.map(() => '')
  return {
    title: 'EVM, Mgas/s of CPU time',
    columns: ['workload', 'Quoin', ...names.map((name) => peers[name].title), ...names.map((name) => `× ${name}`)],
    rows: [...rows, ['geometric mean', ...blanks, ...means.map((mean) => mean.toFixed(2))]],
    json: {
      workloads: workloads.map(({ name }, w) => ({
        name,
        quoin: speeds[w]![0],
        ...Object.fromEntries(names.map((peer, i) => [peer, speeds[w]![i + 1]])),
        ratio: Object.fromEntries(names.map((peer, i) => [peer, ratios[i]![w]])),
      })),
      ratio: Object.fromEntries(names.map((peer, i) => [peer, means[i]])),
    },
  }
}

export const bench = {
  name: 'evm',
  doc: 'Interpreter, calls, creations, precompiles and cold reads (--seconds S for each and workload, --peers geth,revm,ethereumjs).',
  run,
}
