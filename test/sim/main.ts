import { parseArgs } from 'node:util'
import { type FaultName, faultNames } from './faults.ts'
import { type Mutant, mutants } from './mutants.ts'
import { findSlowRecovery, printRecoveries } from './recoveryTable.ts'
import { createSimulator, type EngineName, engineNames, type Simulation } from './simulate.ts'

const usage = `Usage: npm run sim -- [--engine ENGINE] [--validators N] [--seeds A..B] [--faults LIST] [--mutant NAME]
       npm run sim -- --engine ENGINE --validators N --seeds A --trace
       npm run sim -- --mutants
       npm run sim -- --recovery [--engine ENGINE] [--validators N]

--engine ENGINE   ${engineNames.join(', ')} (default: one after the other).
--validators N    1 to 10 (default: 4, then 7).
--seeds A..B      Runs to make, both included, or one (default 1..1000).
--faults LIST     Only these, with commas between: ${faultNames.join(', ')}; or none.
--crypto real     Real signatures instead of cheap ones.
--mutant NAME     Honest validators have a bug: ${mutants.map(({ name }) => name).join(', ')}.
--mutants         Looks for each of these bugs until it is found.
--recovery        How long BFT networks take to go on after outages.
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
  mutant: text,
  mutants: flag,
  recovery: flag,
  trace: flag,
  help: flag,
} as const

/** A command line that cannot be understood. */
class UsageError extends Error {}

type Values = ReturnType<typeof read>

function read() {
  try {
    return parseArgs({ options }).values
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error))
  }
}

function oneOf<T extends string>(name: string, list: readonly T[], given: string): T {
  const found = list.find((one) => one === given)
  if (!found) throw new UsageError(`--${name} knows ${list.join(', ')}, not '${given}'.`)
  return found
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
  const count = Number(given)
  if (!(Number.isInteger(count) && count >= 1 && count <= 10))
    throw new UsageError(`--validators takes 1 to 10, not '${given}'.`)
  return [count]
}

function enginesFor(given: string | undefined, mutant: Mutant | undefined): readonly EngineName[] {
  const engines = given === undefined ? engineNames : [oneOf('engine', engineNames, given)]
  if (!mutant) return engines
  return engines.filter((name) =>
    name === 'clique' ? mutant.clique : mutant.bft && !(mutant.isQbftOnly && name === 'ibft2'),
  )
}

const shownSteps = 60
const shownFailures = 3

function show(simulation: Simulation, seed: number, isWhole: boolean): void {
  const lines: string[] = []
  const outcome = createSimulator(simulation)(seed, (line) => lines.push(line))
  const shown = isWhole ? lines : lines.slice(-shownSteps)
  if (shown.length < lines.length) console.log(`  … ${lines.length - shown.length} steps before`)
  for (const line of shown) console.log(line)
  console.log(outcome.broken === undefined ? 'nothing was broken' : `BROKEN: ${outcome.broken}`)
}

/** The options that make the same runs again. */
function describe({ engine, validators, mutant, faults = faultNames, realCrypto }: Simulation): string {
  const options = [`--engine ${engine} --validators ${validators}`]
  if (faults.length < faultNames.length) options.push(`--faults ${faults.join(',') || 'none'}`)
  if (mutant) options.push(`--mutant ${mutant.name}`)
  if (realCrypto) options.push('--crypto real')
  return options.join(' ')
}

/** Runs all seeds; gives how many passed and failed. */
function runSeeds(simulation: Simulation, [first, last]: readonly [number, number]): readonly [number, number] {
  const run = createSimulator(simulation)
  const started = Date.now()
  const sum = { heights: 0, messages: 0, steps: 0 }
  let failed = 0
  for (let seed = first; seed <= last; seed++) {
    const outcome = run(seed)
    if (outcome.broken === undefined) {
      sum.heights += outcome.heights
      sum.messages += outcome.messages
      sum.steps += outcome.steps
    } else if (failed++ < shownFailures) {
      console.log(`seed ${seed}: ${outcome.broken}`)
      show(simulation, seed, false)
      console.log(`replay: npm run sim -- ${describe(simulation)} --seeds ${seed} --trace\n`)
    }
    const done = seed - first + 1
    if (done % 1000 === 0) console.log(`${describe(simulation)}: ${done} seeds, ${failed} failed`)
  }
  const passed = last - first + 1 - failed
  const seconds = ((Date.now() - started) / 1000).toFixed(1)
  console.log(
    `${describe(simulation)} --seeds ${first}..${last}: ${passed} passed, ${failed} failed; ` +
      `${sum.heights} heights, ${sum.messages} messages, ${sum.steps} steps in ${seconds} s`,
  )
  return [passed, failed]
}

/** Looks for every bug in turn; gives how many were found and how many were not. */
function findMutants([first, last]: readonly [number, number], values: Values): readonly [number, number] {
  let found = 0
  let missed = 0
  for (const mutant of mutants)
    for (const engine of enginesFor(values.engine, mutant)) {
      const validators = mutant.validators ?? validatorsOf(values.validators)[0]!
      const simulation = { engine, validators, mutant, ...(mutant.faults && { faults: mutant.faults }) }
      const run = createSimulator(simulation)
      const slow = engine === 'clique' ? undefined : findSlowRecovery(engine, mutant.bft!)
      let broken = slow && `recovery: ${slow}`
      for (let seed = first; seed <= last && broken === undefined; seed++) {
        const outcome = run(seed)
        if (outcome.broken !== undefined) broken = `seed ${seed}: ${outcome.broken}`
      }
      console.log(`${describe(simulation)}: ${broken ?? 'NOT FOUND'}`)
      if (broken === undefined) missed++
      else found++
    }
  return [found, missed]
}

function main(): number {
  const values = read()
  if (values.help) {
    console.log(usage)
    return 0
  }
  const seeds = seedsOf(values.seeds ?? (values.mutants ? '1..500' : undefined))
  const mutant = mutantOf(values.mutant)
  const faults = faultsOf(values.faults)
  if (values.crypto !== undefined) oneOf('crypto', ['real', 'cheap'], values.crypto)
  const realCrypto = values.crypto === 'real'
  let [passed, failed] = [0, 0]
  if (values.mutants) [passed, failed] = findMutants(seeds, values)
  else if (values.recovery)
    [passed, failed] = printRecoveries(
      enginesFor(values.engine, undefined).filter((engine) => engine !== 'clique'),
      values.validators === undefined ? [1, 2, 3, 4, 5, 6, 7, 8, 9, 10] : validatorsOf(values.validators),
    )
  else
    for (const engine of enginesFor(values.engine, mutant))
      for (const validators of validatorsOf(values.validators)) {
        const simulation = { engine, validators, faults, mutant, realCrypto }
        if (values.trace) show(simulation, seeds[0], true)
        const [more, less] = runSeeds(simulation, seeds)
        passed += more
        failed += less
      }
  console.log(`${passed} passed, ${failed} failed`)
  return failed === 0 ? 0 : 1
}

// Bytes that cannot be read are thrown about in their thousands.
Error.stackTraceLimit = 0
try {
  process.exitCode = main()
} catch (error) {
  if (!(error instanceof UsageError)) throw error
  console.error(`${error.message}\n\n${usage}`)
  process.exitCode = 2
}
