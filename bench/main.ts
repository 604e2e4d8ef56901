import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { runAll } from './all.ts'
import { benches } from './benches.ts'
import { formatMachine, watchMachine } from './report/machine.ts'
import { createReport } from './report/report.ts'
import { type Bench, type BenchOptions, formatTable } from './table.ts'

function usage(): string {
  const all = { name: 'all', doc: 'All of them with short settings (--json DIR, --only NAMES, --peers-dir DIR).' }
  const listed = [...benches, all]
  const width = Math.max(...listed.map(({ name }) => name.length))
  const list = listed.map(({ name, doc }) => `  ${name.padEnd(width)}  ${doc}`)
  return ['npm run bench -- NAME [--json FILE] [--OPTION VALUE …]', '', ...list, ''].join('\n')
}

function parse(args: readonly string[]): Map<string, string> {
  const options = new Map<string, string>()
  for (let i = 0; i < args.length; i++) {
    const [name, value] = [args[i]!, args[i + 1]]
    if (!name.startsWith('--')) throw new Error(`expected --OPTION VALUE at '${name}'`)
    const isFlag = value === undefined || value.startsWith('--')
    options.set(name.slice(2), isFlag ? 'true' : value)
    if (!isFlag) i++
  }
  return options
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
  const given = parse(rest)
  const options: BenchOptions = {
    number: (option, otherwise) => Number(given.get(option) ?? otherwise),
    text: (option, otherwise) => given.get(option) ?? otherwise,
  }
  if (name === 'all') return runAll(options)
  const bench = benches.find((candidate) => candidate.name === name)
  if (bench) return runBench(bench, options, given)
  process.stdout.write(usage())
  return name === undefined ? 0 : 1
}

process.exitCode = await main(process.argv.slice(2))
