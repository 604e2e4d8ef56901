import { availableParallelism } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { packageRoot } from '../../src/primitives/packageRoot.ts'
import { suites } from './suites.ts'

/** What the command line asks for. */
export interface Options {
  readonly suites: readonly string[]
  readonly data: string
  readonly filter: string | undefined
  /** Take every n-th item. */
  readonly every: number
  readonly engine: 'fast' | 'exact'
  readonly manager: 'embedded' | 'tessera'
  readonly jobs: number
  readonly readers: number
  readonly verbose: boolean
}

/** A command line that cannot be understood: one line for the person who wrote it. */
export class UsageError extends Error {
  override name = 'UsageError'
}

const common = suites.filter((suite) => !suite.rare).map(({ name }) => name)
const rare = suites.filter((suite) => suite.rare).map(({ name }) => name)

export const usage = `Usage: npm run conformance -- SUITE… [--data DIR] [--filter TEXT] [--sample 1/N] [--engine fast|exact] [--manager embedded|tessera] [--jobs N] [--readers N] [--verbose]

Suites:
${suites.map(({ name, doc }) => `  ${name.padEnd(12)} ${doc}`).join('\n')}
  ${'all'.padEnd(12)} Every suite but ${rare.join(', ')}.

Options:
  --data DIR     Folder of the test data: shared/conformance, or a checkout of ethereum/tests. Default: ../shared/conformance
                 beside this package.
  --filter TEXT  Only cases whose name (path, test, fork) contains TEXT.
  --sample 1/N   Every N-th test object, always the same ones.
  --engine KIND  Build of the EVM: fast (default) or exact.
  --manager KIND Manager of private transactions (besu-privacy): embedded (default) or tessera.
  --jobs N       Worker threads. Default: one per core.
  --readers N    Let N readers answer what they can of JSON-RPC and GraphQL. Default: none.
  --verbose      Name every case with its time.
`

/** Reads the arguments; undefined when no suite is named and the list is wanted. */
export function readOptions(args: readonly string[]): Options | undefined {
  const { values, positionals } = parse(args)
  if (positionals.length === 0) return undefined
  const known = new Set(suites.map(({ name }) => name))
  const unknown = positionals.filter((name) => name !== 'all' && !known.has(name))
  if (unknown.length)
    throw new UsageError(`Unknown suite ${unknown.join(', ')}. Suites: ${[...known].join(', ')}, all.`)
  return {
    suites: [...new Set(positionals.flatMap((name) => (name === 'all' ? common : name)))],
    data: resolve(values.data ?? join(packageRoot, '../shared/conformance')),
    filter: values.filter,
    every: sampleOf(values.sample ?? '1/1'),
    engine: oneOf('--engine', ['fast', 'exact'], values.engine ?? 'fast'),
    manager: oneOf('--manager', ['embedded', 'tessera'], values.manager ?? 'embedded'),
    jobs: positive('--jobs', values.jobs ?? String(availableParallelism())),
    readers: values.readers === undefined ? 0 : positive('--readers', values.readers),
    verbose: values.verbose ?? false,
  }
}

function parse(args: readonly string[]) {
  try {
    const text = { type: 'string' } as const
    const options = {
      data: text,
      filter: text,
      sample: text,
      engine: text,
      manager: text,
      jobs: text,
      readers: text,
      verbose: { type: 'boolean' },
    } as const
    return parseArgs({ args: [...args], allowPositionals: true, options })
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error))
  }
}

function positive(option: string, text: string): number {
  if (!/^[1-9][0-9]{0,5}$/.test(text)) throw new UsageError(`${option} takes a whole number from 1 on, not '${text}'.`)
  return Number(text)
}

function sampleOf(text: string): number {
  const match = /^1\/([0-9]+)$/.exec(text)
  if (!match) throw new UsageError(`--sample takes 1/N, not '${text}'.`)
  return positive('--sample 1/N', match[1]!)
}

function oneOf<const T extends string>(option: string, values: readonly T[], text: string): T {
  const found = values.find((value) => value === text)
  if (found === undefined) throw new UsageError(`${option} takes ${values.join(' or ')}, not '${text}'.`)
  return found
}
