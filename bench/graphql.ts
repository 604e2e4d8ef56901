import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { packageRoot } from '../src/primitives/packageRoot.ts'
import { freePort } from '../test/support/freePort.ts'
import { round } from './rate.ts'
import { createClient } from './rpc/client.ts'
import { repeatRequest } from './rpc/load.ts'
import { fullBlockSize, makeFullBlock } from './rpc/makeFullBlock.ts'
import { type Place, type Server, startGethDev, startQuoin } from './rpc/servers.ts'
import { formatSpread, type Spread, spreadOf } from './spread.ts'
import type { BenchOptions, BenchTable } from './table.ts'

const takes = { seconds: 'S', connections: 'N' }

/** A server of GraphQL with a full block. */
interface Subject {
  readonly server: Server
  readonly url: string
  readonly block: number
}

interface Row {
  readonly name: string
  query(block: number): string
}

const rows: readonly Row[] = [
  {
    name: `a block of ${fullBlockSize} transactions with senders and logs`,
    query: (block) => `{block(number:${block}){transactions{hash from{address} value logs{data}}}}`,
  },
  { name: 'the head of a block', query: (block) => `{block(number:${block}){number hash timestamp gasUsed}}` },
  {
    name: 'ten blocks with their transactions',
    query: (block) =>
      `{blocks(from:${block - 9},to:${block}){number hash transactions{hash nonce from{address} to{address} status gasUsed}}}`,
  },
]

const starts: Record<'quoin' | 'geth', (place: Place) => Promise<Server>> = {
  quoin: (place) => startQuoin(place),
  geth: startGethDev,
}

async function startFilled(key: 'quoin' | 'geth', folder: string, peersDir: string): Promise<Subject> {
  const graphqlPort = await freePort()
  const server = await starts[key]({ folder, peersDir, period: 0, graphqlPort })
  try {
    const fullBlock = await makeFullBlock(createClient(server.url))
    const base = key === 'quoin' ? `http://127.0.0.1:${graphqlPort}` : server.url
    return { server, url: `${base}/graphql`, block: Number(fullBlock) }
  } catch (error) {
    await server.stop()
    throw error
  }
}

/** The answer to a query, with numbers in one form and without what differs from chain to chain. */
async function answerOf({ url }: Subject, query: string): Promise<string> {
  const headers = { 'content-type': 'application/json' }
  const text = await (await fetch(url, { method: 'POST', headers, body: JSON.stringify({ query }) })).text()
  if (text.includes('"errors"')) throw new Error(`${url}: ${text.slice(0, 300)}`)
  return text
    .replace(/0x[0-9a-f]{9,}/g, '(hex)')
    .replace(/"0x([0-9a-f]+)"/g, (_, digits) => String(Number(`0x${digits}`)))
}

async function run(options: BenchOptions<typeof takes>): Promise<BenchTable> {
  const seconds = options.number('seconds', 5)
  const connections = options.number('connections', 32)
  const folder = mkdtempSync(join(tmpdir(), 'quoin-bench-graphql-'))
  const peersDir = resolve(packageRoot, options.text('peers-dir', '../shared/peers'))
  const subjects: Subject[] = []
  const results: { name: string; quoin: Spread; geth: Spread; ratio: number }[] = []
  try {
    for (const key of ['quoin', 'geth'] as const) subjects.push(await startFilled(key, folder, peersDir))
    const load = { folder, seconds, connections }
    for (const { name, query } of rows) {
      const sizes = await Promise.all(subjects.map(async (one) => (await answerOf(one, query(one.block))).length))
      if (Math.max(...sizes) > 1.1 * Math.min(...sizes)) throw new Error(`${name}: answers of ${sizes} characters`)
      const rates: number[][] = subjects.map(() => [])
      // Turns of a second; the first warms up.
      for (let second = 0; second <= seconds; second++)
        for (const [i, { url, block }] of subjects.entries()) {
          const rate = await repeatRequest(url, JSON.stringify({ query: query(block) }), { ...load, seconds: 1 })
          if (second > 0) rates[i]!.push(rate)
        }
      const [quoin, geth] = rates.map(spreadOf) as [Spread, Spread]
      results.push({ name, quoin, geth, ratio: quoin.median / geth.median })
    }
  } finally {
    await Promise.all(subjects.map(({ server }) => server.stop()))
    rmSync(folder, { recursive: true, force: true })
  }
  return {
    title: `GraphQL queries per second over HTTP, ${connections} connections, medians of ${seconds} turns of a second`,
    columns: ['query', ...subjects.flatMap(({ server }) => [server.name, 'spread']), 'ratio'],
    rows: results.map(({ name, quoin, geth, ratio }) => [
      name,
      ...[quoin, geth].flatMap((rate) => [round(rate.median), formatSpread(rate)]),
      `${round(ratio)}×`,
    ]),
    json: { seconds, connections, rows: results },
  }
}

export const bench = {
  name: 'graphql',
  doc: 'GraphQL under load, beside geth --dev --graphql.',
  takes,
  run,
}
