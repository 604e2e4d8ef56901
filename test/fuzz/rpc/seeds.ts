import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageRoot } from '../../../src/primitives/packageRoot.ts'

/** A call to start from. */
export interface CallSeed {
  readonly method: string
  readonly params: readonly unknown[]
}

export interface GraphqlSeed {
  readonly query: string
  readonly variables?: unknown
}

export interface Seeds {
  /** By method, so that each is asked as often as the others. */
  readonly calls: ReadonlyMap<string, readonly CallSeed[]>
  readonly queries: readonly GraphqlSeed[]
}

/** Enough to start from where there is no test data. */
const plainQueries: readonly GraphqlSeed[] = [
  { query: '{block(number:1){hash number transactions{hash from{address balance} logs{data topics}}}}' },
  { query: '{blocks(from:0,to:3){number timestamp gasUsed transactionCount}}' },
  { query: '{logs(filter:{fromBlock:0,toBlock:3}){index data account{address}}}' },
  {
    query:
      '{block(number:1){account(address:"0x0000000000000000000000000000000000000001"){balance storage(slot:"0x00")}}}',
  },
  { query: '{block{call(data:{to:"0x0000000000000000000000000000000000000001"}){data gasUsed status}}}' },
  { query: '{pending{transactionCount estimateGas(data:{})} gasPrice syncing{currentBlock} chainID}' },
  { query: 'mutation{sendRawTransaction(data:"0x00")}' },
]

function filesIn(folder: string, end: string): string[] {
  if (!existsSync(folder)) return []
  const names = readdirSync(folder, { recursive: true }).map(String).sort()
  return names.filter((name) => name.endsWith(end)).map((name) => join(folder, name))
}

const readJson = (file: string) => JSON.parse(readFileSync(file, 'utf8')) as { request: unknown; variables?: string }

function isCall(json: unknown): json is CallSeed {
  return typeof json === 'object' && json !== null && 'method' in json && Array.isArray((json as CallSeed).params)
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // Some transcripts show what no JSON is.
    return undefined
  }
}

function transcribedCalls(folder: string): unknown[] {
  return filesIn(folder, '.io').flatMap((file) =>
    readFileSync(file, 'utf8')
      .split('\n')
      .filter((line) => line.startsWith('>> '))
      .map((line) => parsed(line.slice(3))),
  )
}

/** Requests of our own transcripts, and of the conformance suites in a folder where there is one. */
export function readSeeds(data: string): Seeds {
  const own = transcribedCalls(join(packageRoot, 'test/fixtures/rpc'))
  const besu = filesIn(join(data, 'besu-rpc/cases'), '.json').flatMap((file) => readJson(file).request)
  const calls = new Map<string, CallSeed[]>()
  for (const call of [...own, ...transcribedCalls(join(data, 'execution-apis')), ...besu].filter(isCall)) {
    const { method, params } = call
    calls.set(method, [...(calls.get(method) ?? []), { method, params }])
  }
  const files = [
    ...filesIn(join(data, 'besu-graphql/cases'), '.json'),
    ...filesIn(join(data, 'hive-graphql/testcases'), '.json'),
  ]
  const queries = files.map((file): GraphqlSeed => {
    const { request, variables } = readJson(file)
    return {
      query: String(request),
      ...(variables === undefined ? {} : { variables: JSON.parse(variables) as unknown }),
    }
  })
  return { calls, queries: [...plainQueries, ...queries] }
}
