import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type PeerName, peers } from './evm/peers.ts'
import { createQuoinRunner } from './evm/quoinRunner.ts'
import type { Round, Runner } from './evm/runner.ts'
import { round } from './rate.ts'
import { leaveOut } from './report/leaveOut.ts'
import { formatSpread, medianOf, type Spread, spreadOf } from './spread.ts'
import type { BenchOptions, BenchTable } from './table.ts'
import { gasOfCall, sender, type Workload } from './workloads/workload.ts'
import { workloads as allWorkloads } from './workloads/workloads.ts'

const takes = { seconds: 'S', only: 'PATTERN', peers: 'NAMES' }

const minRounds = 3

async function run(options: BenchOptions<typeof takes>): Promise<BenchTable> {
  const seconds = options.number('seconds', 1)
  const names = peerNames(options.text('peers', 'geth'))
  const only = new RegExp(options.text('only', ''))
  const workloads = allWorkloads.filter(({ name }) => only.test(name))
  const folder = mkdtempSync(join(tmpdir(), 'quoin-bench-evm-'))
  const file = join(folder, 'workloads.json')
  writeFileSync(file, JSON.stringify({ sender, gas: gasOfCall, workloads }))
  const runners = [createQuoinRunner(), ...names.map((name) => startPeer(name, file))]
  const speeds: Speeds[] = []
  try {
    for (const workload of workloads) speeds.push(await measure(workload, runners, seconds))
  } finally {
    await Promise.all(runners.map((runner) => runner?.close()))
    rmSync(folder, { recursive: true })
  }
  return tableOf(workloads, speeds, names)
}

function peerNames(text: string): PeerName[] {
  return text
    .split(',')
    .filter((name) => name !== '')
    .map((name) => {
      if (Object.hasOwn(peers, name)) return name as PeerName
      throw new Error(`no peer ${name}; there are ${Object.keys(peers).join(', ')}`)
    })
}

/** Undefined, with the reason on stderr, where the peer cannot be made. */
function startPeer(name: PeerName, file: string): Runner | undefined {
  try {
    return peers[name].start(file)
  } catch (error) {
    leaveOut(name, error)
    return undefined
  }
}

/** Speeds of each interpreter in Mgas/s, without those of the first round. They take turns, so that what else the machine does hits all alike. */
async function measure(workload: Workload, runners: readonly (Runner | undefined)[], seconds: number): Promise<Speeds> {
  const speeds: number[][] = runners.map(() => [])
  const end = performance.now() + seconds * runners.length * 1000
  for (let rounds = 0; rounds <= minRounds || performance.now() < end; rounds++) {
    let first: Round | undefined
    for (const [i, runner] of runners.entries()) {
      if (!runner || (workload.onDisk && runner.memoryOnly)) continue
      const result = await runner.run(workload)
      first ??= result
      if (result.gas !== first.gas || result.output !== first.output)
        throw new Error(`${runner.name} and quoin differ in ${workload.name}`)
      if (rounds > 0) speeds[i]!.push(result.gas / result.seconds / 1e6)
    }
  }
  return speeds
}

/** Of each round, by interpreter, Quoin first; none where one is missing or leaves the workload out. */
type Speeds = readonly (readonly number[])[]

function geometricMean(numbers: readonly number[]): number | undefined {
  if (numbers.length === 0) return undefined
  return Math.exp(numbers.reduce((sum, n) => sum + Math.log(n), 0) / numbers.length)
}

/** Median of the quotients of the rounds, in each of which both ran in turn. */
function ratioTo(quoin: readonly number[], other: readonly number[]): Spread | undefined {
  return other.length === 0 ? undefined : spreadOf(other.map((speed, round) => quoin[round]! / speed))
}

function tableOf(workloads: readonly Workload[], speeds: readonly Speeds[], names: readonly PeerName[]): BenchTable {
  const ratios = speeds.map(([quoin, ...others]) => others.map((other) => ratioTo(quoin!, other)))
  const means = names.map((_, i) => geometricMean(ratios.flatMap((row) => row[i]?.median ?? [])))
  const named = <T>(values: readonly T[]) => Object.fromEntries(names.map((name, i) => [name, values[i]]))
  const ratioColumns = names.flatMap((name) => [`× ${name}`, 'spread'])
  return {
    title: 'EVM, Mgas/s of CPU time, medians of rounds in turn',
    columns: ['workload', 'Quoin', ...names.map((name) => peers[name].title), ...ratioColumns],
    rows: [
      ...workloads.map(({ name }, w) => [
        name,
        ...speeds[w]!.map((rounds) => (rounds.length === 0 ? '' : round(medianOf(rounds)))),
        ...ratios[w]!.flatMap((ratio) => (ratio ? [ratio.median.toFixed(2), formatSpread(ratio)] : ['', ''])),
      ]),
      ['geometric mean', ...(speeds[0] ?? []).map(() => ''), ...means.flatMap((mean) => [mean?.toFixed(2) ?? '', ''])],
    ],
    json: {
      workloads: workloads.map(({ name }, w) => {
        const [quoin, ...others] = speeds[w]!.map((rounds) => (rounds.length === 0 ? undefined : spreadOf(rounds)))
        return { name, quoin, ...named(others), ratio: named(ratios[w]!) }
      }),
      ratio: named(means),
    },
  }
}

export const bench = {
  name: 'evm',
  doc: 'Interpreter, calls, creations, precompiles and cold reads (--peers geth,revm,ethereumjs).',
  takes,
  run,
}
