import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Address } from '../src/primitives/bytes.ts'
import { toHex } from '../src/primitives/hex.ts'
import { packageRoot } from '../src/primitives/packageRoot.ts'
import { privateKeyToAddress } from '../src/primitives/secp256k1.ts'
import { bigIntToFixed } from '../src/primitives/u256.ts'
import { round } from './rate.ts'
import { type Call, type Client, createClient, requestBody } from './rpc/client.ts'
import { compareGuards } from './rpc/guards.ts'
import { type LoadOptions, repeatRequest, sendRequests } from './rpc/load.ts'
import { type Prepared, prepare, senderKeys, signed } from './rpc/prepare.ts'
import { type Row, rows } from './rpc/rows.ts'
import { type Server, type ServerName, servers } from './rpc/servers.ts'
import type { BenchOptions, BenchTable } from './table.ts'

/** A server with its content. */
interface Subject extends Server {
  readonly key: ServerName
  readonly client: Client
  readonly content: Prepared
}

type Rates = Partial<Record<ServerName, number>>

/** More transactions than any of the servers takes in a second. */
const sendsPerSecond = 15_000

/** Requests per second of one row, once the answer was seen to be right and the server is warm. */
async function measureRow(subject: Subject, row: Row, common: LoadOptions): Promise<number> {
  const { client, url, content, name, headers } = subject
  const load = { ...common, headers }
  const call = row.call(content)
  const isBatch = Array.isArray(call[0])
  const answer = await (isBatch ? client.batch(call as readonly Call[]) : client.call(...(call as Call)))
  if (!row.isRight(answer)) throw new Error(`${name} answers ${JSON.stringify(answer).slice(0, 200)} to ${row.name}`)
  const body = requestBody(call)
  await repeatRequest(url, body, { ...load, seconds: 1 })
  return repeatRequest(url, body, load)
}

/** Bodies of transfers, their senders in turn. */
function transferBodies(count: number): string[] {
  const to = bigIntToFixed(0xbeefn, 20) as Address
  return Array.from({ length: count }, (_, i) => {
    const nonce = Math.floor(i / senderKeys.length)
    return requestBody(['eth_sendRawTransaction', signed(senderKeys[i % senderKeys.length]!, nonce, { to, value: 1n })])
  })
}

/** Transactions that a server took per second, of which it makes blocks meanwhile: those that count in the senders' nonces. */
async function measureSends({ client, url, name, headers }: Subject, bodies: readonly string[], load: LoadOptions) {
  await sendRequests(url, bodies, { ...load, headers })
  const nonces = await client.batch(
    senderKeys.map((key) => ['eth_getTransactionCount', toHex(privateKeyToAddress(key)), 'pending']),
  )
  const taken = nonces.reduce((sum: number, nonce) => sum + Number(nonce), 0)
  if (taken >= bodies.length) throw new Error(`${name} took all ${taken} transactions`)
  return taken / load.seconds
}

/**
 * Starts a server and gives it its content. Where that survives, the server is started again to make a block each second,
 * because geth gets stuck when it makes blocks at once and transactions come in side by side.
 */
async function startFilled(key: ServerName, folder: string, peersDir: string, given?: Prepared): Promise<Subject> {
  const { start, fill = start, give, take, keepsData } = servers[key]
  const place = { folder, peersDir, period: 1 }
  if (take && given) {
    take(place)
    return subjectOf(key, await start(place), given)
  }
  let server = await fill({ ...place, period: 0 })
  try {
    const content = await prepare(createClient(server.url))
    if (keepsData) {
      await server.stop()
      give?.(place)
      server = await start(place)
    }
    return subjectOf(key, server, content)
  } catch (error) {
    await server.stop()
    throw error
  }
}

const subjectOf = (key: ServerName, server: Server, content: Prepared): Subject => ({
  ...server,
  key,
  client: createClient(server.url, server.headers),
  content,
})

/** Without a peer that cannot be started the others are measured all the same. */
async function startAll(names: readonly ServerName[], folder: string, peersDir: string, up: Subject[]): Promise<void> {
  for (const key of names)
    try {
      up.push(await startFilled(key, folder, peersDir, up[0]?.content))
    } catch (error) {
      if (key === 'quoin') throw error
      process.stderr.write(`Without ${key}: ${(error as Error).message}\n`)
    }
}

function ratiosOf({ quoin, ...others }: Rates): Rates {
  return Object.fromEntries(Object.entries(others).map(([key, rate]) => [key, quoin! / rate]))
}

async function run(options: BenchOptions): Promise<BenchTable> {
  const seconds = options.number('seconds', 5)
  const connections = options.number('connections', 32)
  const names = ['quoin', ...options.text('peers', 'geth,besu,anvil').split(',').filter(Boolean)]
  const unknown = names.find((name) => !(name in servers))
  if (unknown !== undefined)
    throw new Error(`--peers takes ${Object.keys(servers).slice(1).join(', ')}, not ${unknown}`)
  const folder = mkdtempSync(join(tmpdir(), 'quoin-bench-rpc-'))
  const peersDir = resolve(packageRoot, options.text('peers-dir', '../shared/peers'))
  if (options.text('guards', 'false') === 'true')
    return compareGuards({ folder, peersDir, period: 1 }, { folder, seconds, connections }).finally(() =>
      rmSync(folder, { recursive: true, force: true }),
    )
  const subjects: Subject[] = []
  const results: { name: string; perSecond: Rates; ratio: Rates }[] = []
  async function add(name: string, measure: (subject: Subject) => Promise<number>): Promise<void> {
    const perSecond: Rates = {}
    for (const subject of subjects) perSecond[subject.key] = await measure(subject)
    results.push({ name, perSecond, ratio: ratiosOf(perSecond) })
  }
  try {
    await startAll(names as readonly ServerName[], folder, peersDir, subjects)
    const load = { folder, seconds, connections }
    for (const row of rows) await add(row.name, (subject) => measureRow(subject, row, load))
    const bodies = transferBodies(seconds * sendsPerSecond)
    await add('eth_sendRawTransaction', (subject) => measureSends(subject, bodies, load))
  } finally {
    await Promise.all(subjects.map((subject) => subject.stop()))
    rmSync(folder, { recursive: true, force: true })
  }

  const [quoin, ...peers] = subjects
  return {
    title: `Requests per second over HTTP, ${connections} connections, ${seconds} s each`,
    columns: ['request', quoin!.name, ...peers.flatMap(({ name }) => [name, 'ratio'])],
    rows: results.map(({ name, perSecond, ratio }) => [
      name,
      round(perSecond.quoin!),
      ...peers.flatMap(({ key }) => [round(perSecond[key]!), `${round(ratio[key]!)}×`]),
    ]),
    json: { seconds, connections, rows: results },
  }
}

export const bench = {
  name: 'rpc',
  doc: 'JSON-RPC under load, beside geth --dev, Besu and anvil (--seconds S, --connections N, --peers NAMES, --peers-dir DIR); --guards: without and with authentication, TLS, and both.',
  run,
}
