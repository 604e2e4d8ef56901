import { availableParallelism } from 'node:os'
import { join, resolve } from 'node:path'
import { packageRoot } from '../../src/primitives/packageRoot.ts'
import { countOf, oneOf, UsageError } from '../support/runCampaign.ts'
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

const text = { type: 'string' } as const

/** Options of the command. */
export const commandLine = {
  data: text,
  filter: text,
  sample: text,
  engine: text,
  manager: text,
  jobs: text,
  readers: text,
  verbose: { type: 'boolean' },
} as const

type Values = { readonly [K in Exclude<keyof typeof commandLine, 'verbose'>]?: string | undefined } & {
  readonly verbose?: boolean | undefined
}

const maxCount = 999_999

/** Reads the arguments; undefined when no suite is named and the list is wanted. */
export function readOptions(values: Values, named: readonly string[]): Options | undefined {
  if (named.length === 0) return undefined
  const known = new Set(suites.map(({ name }) => name))
  const unknown = named.filter((name) => name !== 'all' && !known.has(name))
  if (unknown.length)
    throw new UsageError(`Unknown suite ${unknown.join(', ')}. Suites: ${[...known].join(', ')}, all.`)
  return {
    suites: [...new Set(named.flatMap((name) => (name === 'all' ? common : name)))],
    data: resolve(values.data ?? join(packageRoot, '../shared/conformance')),
    filter: values.filter,
    every: sampleOf(values.sample ?? '1/1'),
    engine: oneOf('engine', ['fast', 'exact'], values.engine ?? 'fast'),
    manager: oneOf('manager', ['embedded', 'tessera'], values.manager ?? 'embedded'),
    jobs: countOf('jobs', values.jobs, availableParallelism(), 1, maxCount),
    readers: values.readers === undefined ? 0 : countOf('readers', values.readers, 0, 1, maxCount),
    verbose: values.verbose ?? false,
  }
}

function sampleOf(given: string): number {
  const match = /^1\/([0-9]+)$/.exec(given)
  if (!match) throw new UsageError(`--sample takes 1/N, not '${given}'.`)
  return countOf('sample 1/N', match[1], 1, 1, maxCount)
}
