import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { namedOf, readArguments, UsageError } from '../test/support/runCampaign.ts'
import { runAll } from './all.ts'
import { benches } from './benches.ts'
import { formatMachine, watchMachine } from './report/machine.ts'
import { createReport } from './report/report.ts'
import { type Bench, type BenchOptions, type BenchTakes, formatTable, takenByAll } from './table.ts'

const all = { name: 'all', doc: 'All of them with short settings; --json names a folder.', takes: { only: 'NAMES' } }

const shown = (takes: BenchTakes) =>
  Object.entries(takes).map(([name, value]) => (value === '' ? `[--${name}]` : `[--${name} ${value}]`))

function usage(): string {
  const listed: readonly Omit<Bench, 'run'>[] = [...benches, all]
  const width = Math.max(...listed.map(({ name }) => name.length))
  const list = listed.map(({ name, doc, takes = {} }) => `  ${name.padEnd(width)}  ${[doc, ...shown(takes)].join(' ')}`)
  return [`npm run bench -- NAME ${shown(takenByAll).join(' ')} [--OPTION VALUE …]`, '', ...list, ''].join('\n')
}

/** What was given, by name; throws where the bench does not take it. */
function parse(args: readonly string[], takes: BenchTakes): Map<string, string> {
  const all: BenchTakes = { ...takes, ...takenByAll }
  const options = Object.entries(all).map(
    ([name, value]) => [name, { type: value === '' ? 'boolean' : 'string' }] as const,
  )
  const { values } = readArguments(Object.fromEntries(options), 0, args)
  return new Map(Object.entries(values).map(([name, value]) => [name, String(value)]))
}

function numberOf(name: string, given: string | undefined, otherwise: number): number {
  if (given === undefined) return otherwise
  if (given.trim() === '' || !Number.isFinite(Number(given)))
    throw new UsageError(`--${name} takes a number, not '${given}'.`)
  return Number(given)
}

/** Those that say where things are, not what is measured. */
const places = ['json', 'peers-dir']

async function runBench(bench: Bench, options: BenchOptions, given: ReadonlyMap<string, string>): Promise<number> {
  const watch = watchMachine()
  const table = await bench.run(options)
  const use = watch.stop()
  const args = [...given].filter(([name]) => !places.includes(name)).map(([name, value]) => `--${name} ${value}`)
  const report = createReport(bench.name, args, table, use)
  const tables = [table, ...(table.more ?? [])].map(formatTable).join('\n')
  process.stdout.write(`${tables}${formatMachine(report.machine, use)}\n\n`)
  const file = options.text('json', `build/bench-${bench.name}.json`)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, `${JSON.stringify(report, undefined, 2)}\n`)
  return 0
}

async function main([name, ...rest]: readonly string[]): Promise<number> {
  if (name === undefined || name === '--help' || rest.includes('--help')) {
    process.stdout.write(usage())
    return 0
  }
  const [bench] = name === all.name ? [] : namedOf('bench', benches, [name])
  const given = parse(rest, (bench ?? all).takes ?? {})
  const options: BenchOptions = {
    number: (option, otherwise) => numberOf(option, given.get(option), otherwise),
    text: (option, otherwise) => given.get(option) ?? otherwise,
  }
  return bench ? runBench(bench, options, given) : runAll(options)
}

try {
  process.exitCode = await main(process.argv.slice(2))
} catch (error) {
  if (!(error instanceof UsageError)) throw error
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 2
}
