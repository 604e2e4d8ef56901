import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Address } from '../src/primitives/bytes.ts'
import { toHex } from '../src/primitives/hex.ts'
import { packageRoot } from '../src/primitives/packageRoot.ts'
import { privateKeyToAddress } from '../src/primitives/secp256k1.ts'
import { bigIntToFixed } from '../src/primitives/u256.ts'
import { round } from './rate.ts'
import { leaveOut } from './report/leaveOut.ts'
import { type Call, type Client, createClient, requestBody } from './rpc/client.ts'
import { compareGuards } from './rpc/guards.ts'
import { type LoadOptions, repeatRequest, sendRequests } from './rpc/load.ts'
import { type Prepared, prepare, senderKeys, signed } from './rpc/prepare.ts'
import { type Row, rows } from './rpc/rows.ts'
import { type Server, type ServerName, servers } from './rpc/servers.ts'
import { formatSpread, type Spread, spreadOf } from './spread.ts'
import type { BenchOptions, BenchTable } from './table.ts'

/** A server with its content. */
interface Subject extends Server {
  readonly key: ServerName
  readonly client: Client
  readonly content: Prepared
}

type Rates = Partial<Record<ServerName, Spread>>

/** More transactions than any of the servers takes in a second. */
const sendsPerSecond = 15_000

/** Checks the answer to one row and warms the server up. The result measures requests per second for a turn of one second. */
async function prepareRow(subject: Subject, row: Row, common: LoadOptions): Promise<() => Promise<number>> {
  const { client, url, content, name, headers } = subject
  const turn = { ...common, headers, seconds: 1 }
  const call = row.call(content)
  const isBatch = Array.isArray(call[0])
  const answer = await (isBatch ? client.batch(call as readonly Call[]) : client.call(...(call as Call)))
  if (!row.isRight(answer)) throw new Error(`${name} answers ${JSON.stringify(answer).slice(0, 200)} to ${row.name}`)
  const body = requestBody(call)
  await repeatRequest(url, body, turn)
  return () => repeatRequest(url, body, turn)
}

/** Requests per second of one row: the servers take turns of a second. */
async function measureRow(subjects: readonly Subject[], row: Row, load: LoadOptions): Promise<number[][]> {
  const measures: (() => Promise<number>)[] = []
  for (const subject of subjects) measures.push(await prepareRow(subject, row, load))
  const rates: number[][] = subjects.map(() => [])
  for (let second = 0; second < load.seconds; second++)
    for (const [i, measure] of measures.entries()) rates[i]!.push(await measure())
  return rates
}

/** Bodies of transfers, their senders in turn, each from the nonce that is its next one. */
function transferBodies(nonces: readonly number[]): string[] {
  const to = bigIntToFixed(0xbeefn, 20) as Address
  return Array.from({ length: sendsPerSecond }, (_, i) => {
    const sender = i % senderKeys.length
    const nonce = nonces[sender]! + Math.floor(i / senderKeys.length)
    return requestBody(['eth_sendRawTransaction', signed(senderKeys[sender]!, nonce, { to, value: 1n })])
  })
}

async function nextNonces({ client }: Subject): Promise<number[]> {
  const addresses = senderKeys.map((key) => toHex(privateKeyToAddress(key)))
  return (await client.batch(addresses.map((one) => ['eth_getTransactionCount', one, 'pending']))).map(Number)
}

/** Transactions that a server took in a second, of which it makes blocks meanwhile: those that count in the senders' nonces. */
async function measureSends(subject: Subject, load: LoadOptions): Promise<number> {
  const { url, name, headers } = subject
  const before = await nextNonces(subject)
  await sendRequests(url, transferBodies(before), { ...load, headers, seconds: 1 })
  const after = await nextNonces(subject)
  const taken = after.reduce((sum, nonce, i) => sum + nonce - before[i]!, 0)
  if (taken >= sendsPerSecond) throw new Error(`${name} took all ${taken} transactions`)
  return taken
}

/** The servers take turns of a second, after one that warms them up. */
async function measureAllSends(subjects: readonly Subject[], load: LoadOptions): Promise<number[][]> {
  const rates: number[][] = subjects.map(() => [])
  for (let second = -1; second < load.seconds; second++)
    for (const [i, subject] of subjects.entries()) {
      const rate = await measureSends(subject, load)
      if (second >= 0) rates[i]!.push(rate)
    }
  return rates
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
      leaveOut(key, error)
    }
}

function ratiosOf({ quoin, ...others }: Rates): Partial<Record<ServerName, number>> {
  return Object.fromEntries(Object.entries(others).map(([key, rate]) => [key, quoin!.median / rate.median]))
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
  const results: { name: string; perSecond: Rates; ratio: ReturnType<typeof ratiosOf> }[] = []
  function add(name: string, rates: readonly (readonly number[])[]): void {
    const perSecond: Rates = Object.fromEntries(subjects.map(({ key }, i) => [key, spreadOf(rates[i]!)]))
    results.push({ name, perSecond, ratio: ratiosOf(perSecond) })
  }
  try {
    await startAll(names as readonly ServerName[], folder, peersDir, subjects)
    const load = { folder, seconds, connections }
    for (const row of rows) add(row.name, await measureRow(subjects, row, load))
    add('eth_sendRawTransaction', await measureAllSends(subjects, load))
  } finally {
    await Promise.all(subjects.map((subject) => subject.stop()))
    rmSync(folder, { recursive: true, force: true })
  }

  const [quoin, ...peers] = subjects
  return {
    title: `Requests per second over HTTP, ${connections} connections, medians of ${seconds} turns of a second`,
    columns: ['request', ...[quoin!, ...peers].flatMap(({ name }, i) => [name, 'spread', ...(i ? ['ratio'] : [])])],
    rows: results.map(({ name, perSecond, ratio }) => [
      name,
      round(perSecond.quoin!.median),
      formatSpread(perSecond.quoin!),
      ...peers.flatMap(({ key }) => [
        round(perSecond[key]!.median),
        formatSpread(perSecond[key]!),
        `${round(ratio[key]!)}×`,
      ]),
    ]),
    json: { seconds, connections, rows: results },
  }
}

export const bench = {
  name: 'rpc',
  doc: 'JSON-RPC under load, each row one question over and over, beside geth --dev, Besu and anvil (--seconds S, --connections N, --peers NAMES, --peers-dir DIR); --guards: without and with authentication, TLS, and both.',
  run,
}
