import { availableParallelism } from 'node:os'
import { countOf, oneOf, runCampaign, UsageError } from '../support/runCampaign.ts'
import { type Crew, createCrew } from './crew.ts'
import { type FaultName, faultNames } from './faults.ts'
import { printLimps } from './limpTable.ts'
import { type Mutant, mutants } from './mutants.ts'
import { printRecoveries } from './recoveryTable.ts'
import { createSimulator, type EngineName, engineNames } from './simulate.ts'
import type { Plan } from './tasks.ts'
import { type TopologyName, topologyNames } from './topology.ts'

const usage = `Usage: npm run sim -- [--engine ENGINE] [--validators N] [--seeds A..B] [--faults LIST] [--topology NAME] [--mutant NAME]
       npm run sim -- --engine ENGINE --validators N --seeds A --trace
       npm run sim -- --mutants
       npm run sim -- --recovery [--engine ENGINE] [--validators N]
       npm run sim -- --limp [--engine ENGINE] [--validators N] [--seeds N]

--engine ENGINE   ${engineNames.join(', ')} (default: all of them).
--validators N    1 to 10 (default: 4, then 7).
--seeds A..B      Runs to make, both included, or one (default 1..1000).
--faults LIST     Only these, with commas between: ${faultNames.join(', ')}; or none.
--topology NAME   BFT validators are connected so: ${topologyNames.join(', ')}, or random (default: some of the runs at random).
--crypto real     Real signatures instead of cheap ones.
--mutant NAME     Honest validators have a bug: ${mutants.map(({ name }) => name).join(', ')}.
--mutants         Looks for each of these bugs until it is found.
--recovery        How long BFT networks take to go on after outages.
--limp            How many blocks BFT networks make while some validators are not well; the worst of N runs (default 5).
--jobs N          Threads that share the work (default: as many as there are cores).
--trace           Prints everything that happens.
`

const text = { type: 'string' } as const
const flag = { type: 'boolean' } as const
const options = {
  engine: text,
  validators: text,
  seeds: text,
  faults: text,
  crypto: text,
  topology: text,
  mutant: text,
  mutants: flag,
  recovery: flag,
  limp: flag,
  jobs: text,
  trace: flag,
} as const

type Values = {
  readonly [K in keyof typeof options]?: (typeof options)[K]['type'] extends 'boolean' ? boolean : string
}

function mutantOf(given: string | undefined): Mutant | undefined {
  if (given === undefined) return undefined
  const name = oneOf(
    'mutant',
    mutants.map((mutant) => mutant.name),
    given,
  )
  return mutants.find((mutant) => mutant.name === name)
}

function seedsOf(given = '1..1000'): readonly [number, number] {
  const [, first, last = first] = /^(\d+)(?:\.\.(\d+))?$/.exec(given) ?? []
  if (first === undefined || Number(last) < Number(first))
    throw new UsageError(`--seeds takes A..B or A, not '${given}'.`)
  return [Number(first), Number(last)]
}

function faultsOf(given: string | undefined): readonly FaultName[] {
  if (given === undefined) return faultNames
  return given === 'none' ? [] : given.split(',').map((name) => oneOf('faults', faultNames, name))
}

function validatorsOf(given: string | undefined): readonly number[] {
  if (given === undefined) return [4, 7]
  return [countOf('validators', given, 4, 1, 10)]
}

function topologyOf(given: string | undefined): TopologyName | 'random' | undefined {
  return given === undefined ? undefined : oneOf('topology', [...topologyNames, 'random'] as const, given)
}

function enginesFor(given: string | undefined, mutant: Mutant | undefined): readonly EngineName[] {
  const engines = given === undefined ? engineNames : [oneOf('engine', engineNames, given)]
  if (!mutant) return engines
  return engines.filter((name) => suffers(mutant, name))
}

/** Whether networks of an engine can have a bug. */
function suffers({ bft, clique, migration, isQbftOnly }: Mutant, engine: EngineName): boolean {
  switch (engine) {
    case 'clique':
      return clique !== undefined
    case 'ibft2':
      return bft !== undefined && !isQbftOnly
    case 'qbft':
      return bft !== undefined
    default:
      return migration !== undefined
  }
}

const shownSteps = 60
const shownFailures = 3
const seedsPerTask = 25

function show({ mutant, ...plan }: Plan, seed: number, isWhole: boolean): void {
  const lines: string[] = []
  const outcome = createSimulator({ ...plan, mutant: mutantOf(mutant) })(seed, (line) => lines.push(line))
  const shown = isWhole ? lines : lines.slice(-shownSteps)
  if (shown.length < lines.length) console.log(`  … ${lines.length - shown.length} steps before`)
  for (const line of shown) console.log(line)
  console.log(outcome.broken === undefined ? 'nothing was broken' : `BROKEN: ${outcome.broken}`)
}

/** The options that make the same runs again. */
function describe({ engine, validators, mutant, faults, realCrypto, topology }: Plan): string {
  const options = [`--engine ${engine} --validators ${validators}`]
  if (faults.length < faultNames.length) options.push(`--faults ${faults.join(',') || 'none'}`)
  if (topology !== undefined) options.push(`--topology ${topology}`)
  if (mutant !== undefined) options.push(`--mutant ${mutant}`)
  if (realCrypto) options.push('--crypto real')
  return options.join(' ')
}

const cpuSeconds = ({ user, system }: NodeJS.CpuUsage) => (user + system) / 1e6

/** Runs all seeds; gives how many passed and failed. */
async function runSeeds(
  plan: Plan,
  [first, last]: readonly [number, number],
  crew: Crew,
): Promise<readonly [number, number]> {
  const started = Date.now()
  const cpu = process.cpuUsage()
  const sum = { heights: 0, messages: 0, steps: 0 }
  let [done, failed] = [0, 0]
  const parts = Array.from({ length: Math.ceil((last - first + 1) / seedsPerTask) }, (_, i) => {
    const from = first + i * seedsPerTask
    return crew.do('runSeeds', plan, from, Math.min(last, from + seedsPerTask - 1))
  })
  for (const part of parts)
    for (const outcome of await part) {
      if (outcome.broken === undefined) {
        sum.heights += outcome.heights
        sum.messages += outcome.messages
        sum.steps += outcome.steps
      } else if (failed++ < shownFailures) {
        const { seed, broken } = outcome
        console.log(`seed ${seed}: ${broken}`)
        show(plan, seed, false)
        console.log(`replay: npm run sim -- ${describe(plan)} --seeds ${seed} --trace\n`)
      }
      if (++done % 1000 === 0) console.log(`${describe(plan)}: ${done} seeds, ${failed} failed`)
    }
  const passed = done - failed
  const seconds = ((Date.now() - started) / 1000).toFixed(1)
  const used = cpuSeconds(process.cpuUsage(cpu))
  console.log(
    `${describe(plan)} --seeds ${first}..${last}: ${passed} passed, ${failed} failed; ` +
      `${sum.heights} heights, ${sum.messages} messages, ${sum.steps} steps in ${seconds} s, ` +
      `${(done / used).toFixed(1)} seeds per CPU second`,
  )
  return [passed, failed]
}

/** Looks for every bug; gives how many were found and how many were not. */
async function findMutants(
  [first, last]: readonly [number, number],
  values: Values,
  crew: Crew,
): Promise<readonly [number, number]> {
  const searches = mutants.flatMap((mutant) =>
    enginesFor(values.engine, mutant).map((engine) => {
      const validators = mutant.validators ?? validatorsOf(values.validators)[0]!
      const { name, faults = faultNames, topology } = mutant
      const plan: Plan = { engine, validators, faults, mutant: name, realCrypto: false, topology }
      return { plan, broken: crew.do('findMutant', plan, first, last) }
    }),
  )
  let [found, missed] = [0, 0]
  for (const { plan, broken } of searches) {
    const shown = await broken
    console.log(`${describe(plan)}: ${shown ?? 'NOT FOUND'}`)
    if (shown === undefined) missed++
    else found++
  }
  return [found, missed]
}

async function perform(values: Values, crew: Crew): Promise<readonly [number, number]> {
  const seeds = seedsOf(values.seeds ?? (values.mutants ? '1..500' : undefined))
  if (values.mutants) return findMutants(seeds, values, crew)
  const kinds = enginesFor(values.engine, undefined).filter((engine) => engine === 'qbft' || engine === 'ibft2')
  if (values.limp)
    return printLimps(kinds, validatorsOf(values.validators), seedsOf(values.seeds ?? '5')[1], (terms, runs) =>
      crew.do('limp', terms, runs),
    )
  if (values.recovery)
    return printRecoveries(
      kinds,
      values.validators === undefined ? [1, 2, 3, 4, 5, 6, 7, 8, 9, 10] : validatorsOf(values.validators),
      (outage, maxRuns) => crew.do('recover', outage, maxRuns),
    )
  const mutant = mutantOf(values.mutant)
  const faults = faultsOf(values.faults)
  const topology = topologyOf(values.topology)
  if (values.crypto !== undefined) oneOf('crypto', ['real', 'cheap'], values.crypto)
  const realCrypto = values.crypto === 'real'
  let [passed, failed] = [0, 0]
  for (const engine of enginesFor(values.engine, mutant))
    for (const validators of validatorsOf(values.validators)) {
      const plan: Plan = { engine, validators, faults, mutant: mutant?.name, realCrypto, topology }
      if (values.trace) show(plan, seeds[0], true)
      const [more, less] = await runSeeds(plan, seeds, crew)
      passed += more
      failed += less
    }
  return [passed, failed]
}

// Bytes that cannot be read are thrown about in their thousands.
Error.stackTraceLimit = 0
await runCampaign({
  usage,
  options,
  async run({ values }) {
    const crew = createCrew(values.trace ? 1 : countOf('jobs', values.jobs, availableParallelism(), 1, 99))
    try {
      const [passed, failed] = await perform(values, crew)
      return { passed, failed }
    } finally {
      await crew.close()
    }
  },
})
