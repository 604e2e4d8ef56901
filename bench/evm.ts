import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type PeerName, peers } from './evm/peers.ts'
import { createQuoinRunner } from './evm/quoinRunner.ts'
import type { Round, Runner } from './evm/runner.ts'
import { round } from './rate.ts'
import type { BenchOptions, BenchTable } from './table.ts'
import { gasOfCall, sender, type Workload } from './workloads/workload.ts'
import { workloads as allWorkloads } from './workloads/workloads.ts'

const minRounds = 3

async function run(options: BenchOptions): Promise<BenchTable> {
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
    process.stderr.write(`${name} is left out: ${(error as Error).message}\n`)
    return undefined
  }
}

/** Best speed of each interpreter in Mgas/s. They take turns, so that what else the machine does hits all alike. */
async function measure(workload: Workload, runners: readonly (Runner | undefined)[], seconds: number): Promise<Speeds> {
  const best: (number | undefined)[] = runners.map(() => undefined)
  const end = performance.now() + seconds * runners.length * 1000
  for (let rounds = 0; rounds < minRounds || performance.now() < end; rounds++) {
    let first: Round | undefined
    for (const [i, runner] of runners.entries()) {
      if (!runner || (workload.onDisk && runner.memoryOnly)) continue
      const result = await runner.run(workload)
      first ??= result
      if (result.gas !== first.gas || result.output !== first.output)
        throw new Error(`${runner.name} and quoin differ in ${workload.name}`)
      best[i] = Math.max(best[i] ?? 0, result.gas / result.seconds / 1e6)
    }
  }
  return best
}

/** By interpreter, Quoin first; undefined where one is missing or leaves the workload out. */
type Speeds = readonly (number | undefined)[]

function geometricMean(numbers: readonly number[]): number | undefined {
  if (numbers.length === 0) return undefined
  return Math.exp(numbers.reduce((sum, n) => sum + Math.log(n), 0) / numbers.length)
}

function tableOf(workloads: readonly Workload[], speeds: readonly Speeds[], names: readonly PeerName[]): BenchTable {
  const ratios = speeds.map(([quoin, ...others]) => others.map((speed) => speed && quoin! / speed))
  const means = names.map((_, i) => geometricMean(ratios.flatMap((row) => row[i] ?? [])))
  const named = (values: Speeds) => Object.fromEntries(names.map((name, i) => [name, values[i]]))
  return {
    title: 'EVM, Mgas/s of CPU time',
    columns: ['workload', 'Quoin', ...names.map((name) => peers[name].title), ...names.map((name) => `× ${name}`)],
    rows: [
      ...workloads.map(({ name }, w) => [
        name,
        ...speeds[w]!.map((speed) => (speed === undefined ? '' : round(speed))),
        ...ratios[w]!.map((ratio) => ratio?.toFixed(2) ?? ''),
      ]),
      ['geometric mean', ...(speeds[0] ?? []).map(() => ''), ...means.map((mean) => mean?.toFixed(2) ?? '')],
    ],
    json: {
      workloads: workloads.map(({ name }, w) => ({
        name,
        quoin: speeds[w]![0],
        ...named(speeds[w]!.slice(1)),
        ratio: named(ratios[w]!),
      })),
      ratio: named(means),
    },
  }
}

export const bench = {
  name: 'evm',
  doc: 'Interpreter, calls, creations, precompiles and cold reads (--seconds S for each and workload, --only PATTERN, --peers geth,revm,ethereumjs).',
  run,
}
