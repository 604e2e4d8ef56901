import { writeFileSync } from 'node:fs'
import { bench as index } from './accountIndex.ts'
import { bench as evm } from './evm.ts'
import { bench as graphql } from './graphql.ts'
import { bench as importing } from './import.ts'
import { bench as isolation } from './isolation.ts'
import { bench as keccak } from './keccak.ts'
import { bench as logs } from './logs.ts'
import { bench as pool } from './pool.ts'
import { bench as privacy } from './privacy.ts'
import { bench as qbft } from './qbft.ts'
import { bench as recover } from './recover.ts'
import { bench as rlp } from './rlp.ts'
import { bench as rpc } from './rpc.ts'
import { bench as start } from './start.ts'
import { bench as stateReads } from './stateReads.ts'
import { bench as subscribers } from './subscribers.ts'
import { bench as sync } from './sync.ts'
import { type Bench, type BenchOptions, formatTable } from './table.ts'
import { bench as trace } from './trace.ts'
import { bench as trie } from './trie.ts'

const benches: readonly Bench[] = [
  rlp,
  keccak,
  recover,
  pool,
  trie,
  stateReads,
  evm,
  importing,
  index,
  sync,
  rpc,
  start,
  qbft,
  privacy,
  subscribers,
  isolation,
  logs,
  graphql,
  trace,
]

function usage(): string {
  const width = Math.max(...benches.map(({ name }) => name.length))
  const list = benches.map(({ name, doc }) => `  ${name.padEnd(width)}  ${doc}`)
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

/** Lists get a name, so that every result is an object. */
function asObject(json: object): object {
  return Array.isArray(json) ? { rows: json } : json
}

async function main([name, ...rest]: readonly string[]): Promise<number> {
  const bench = benches.find((candidate) => candidate.name === name)
  if (bench === undefined) {
    process.stdout.write(usage())
    return name === undefined ? 0 : 1
  }
  const given = parse(rest)
  const options: BenchOptions = {
    number: (option, otherwise) => Number(given.get(option) ?? otherwise),
    text: (option, otherwise) => given.get(option) ?? otherwise,
  }
  const table = await bench.run(options)
  process.stdout.write(`${formatTable(table)}\n`)
  const file = given.get('json') ?? `build/bench-${bench.name}.json`
  writeFileSync(file, `${JSON.stringify({ title: table.title, ...asObject(table.json) }, undefined, 2)}\n`)
  return 0
}

process.exitCode = await main(process.argv.slice(2))
