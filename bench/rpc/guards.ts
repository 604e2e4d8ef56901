import { cpSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { packageRoot } from '../../src/primitives/packageRoot.ts'
import { makeRsaKey, makeToken } from '../../test/support/tokens.ts'
import { cpuSeconds } from '../cpuSeconds.ts'
import { round } from '../rate.ts'
import { medianOf } from '../spread.ts'
import type { BenchTable } from '../table.ts'
import { type Call, createClient, requestBody } from './client.ts'
import { type LoadOptions, repeatRequest } from './load.ts'
import { type Prepared, prepare } from './prepare.ts'
import { type Row, rows } from './rows.ts'
import { fillQuoin, type Place, type ServerProcess, startQuoin } from './servers.ts'

/** What stands between a client and the methods. */
interface Guard {
  readonly name: string
  readonly options: readonly string[]
  readonly headers: Readonly<Record<string, string>>
}

const fixture = (name: string) => join(packageRoot, 'test/fixtures/tls', name)

/** Nothing at first, and all at the end. */
function guardsIn(folder: string): readonly Guard[] {
  const keyFile = join(folder, 'token.pub')
  const { privateKey } = makeRsaKey(keyFile)
  const token = makeToken({ permissions: ['eth:*', 'net:*', 'web3:*'], exp: Date.now() / 1000 + 86_400 }, privateKey)
  const authentication = {
    options: ['--rpc-http-authentication-enabled', `--rpc-http-authentication-jwt-public-key-file=${keyFile}`],
    headers: { Authorization: `Bearer ${token}` },
  }
  const tls = [
    '--rpc-http-tls-enabled',
    `--rpc-http-tls-certificate-file=${fixture('server.crt')}`,
    `--rpc-http-tls-key-file=${fixture('server.key')}`,
  ]
  return [
    { name: 'off', options: [], headers: {} },
    { name: 'authentication', ...authentication },
    { name: 'TLS', options: tls, headers: {} },
    { name: 'both', options: [...authentication.options, ...tls], headers: authentication.headers },
  ]
}

/** Requests per second, and microseconds of CPU time per request. */
interface Measure {
  readonly perSecond: number
  readonly cpu: number
}

async function measure({ url, pid, headers }: ServerProcess, body: string, load: LoadOptions): Promise<Measure> {
  const before = cpuSeconds(pid)
  const perSecond = await repeatRequest(url, body, { ...load, headers })
  return { perSecond, cpu: ((cpuSeconds(pid) - before) * 1e6) / (perSecond * load.seconds) }
}

async function checkAnswer({ url, headers }: ServerProcess, row: Row, content: Prepared): Promise<void> {
  const call = row.call(content)
  const client = createClient(url, headers)
  const answer = await (Array.isArray(call[0]) ? client.batch(call as readonly Call[]) : client.call(...(call as Call)))
  if (!row.isRight(answer)) throw new Error(`${url} answers ${JSON.stringify(answer).slice(0, 200)} to ${row.name}`)
}

function medians(measures: readonly Measure[]): Measure {
  return { perSecond: medianOf(measures.map((one) => one.perSecond)), cpu: medianOf(measures.map((one) => one.cpu)) }
}

/** Starts a Quoin with each of the guards; all have the same chain. */
async function startAll(place: Place, guards: readonly Guard[], servers: ServerProcess[]): Promise<void> {
  for (const [i, { options, headers }] of guards.entries()) {
    const folder = join(place.folder, `guard${i}`)
    mkdirSync(folder)
    cpSync(join(place.folder, 'quoin'), join(folder, 'quoin'), { recursive: true })
    servers.push(await startQuoin({ ...place, folder }, options, headers))
  }
}

/**
 * Measures a Quoin without and with guards, over connections that are kept: a second each in turn, so that what else the
 * machine does falls on all of them.
 */
export async function compareGuards(place: Place, load: LoadOptions): Promise<BenchTable> {
  const filling = await fillQuoin({ ...place, period: 0 })
  const content = await prepare(createClient(filling.url)).finally(() => filling.stop())
  const guards = guardsIn(place.folder)
  const servers: ServerProcess[] = []
  const results: { readonly name: string; readonly measures: readonly Measure[] }[] = []
  try {
    await startAll(place, guards, servers)
    const turn = { ...load, seconds: 1 }
    for (const row of rows) {
      const body = requestBody(row.call(content))
      for (const server of servers) {
        await checkAnswer(server, row, content)
        await measure(server, body, turn)
      }
      const measures: Measure[][] = servers.map(() => [])
      for (let second = 0; second < load.seconds; second++)
        for (const [i, server] of servers.entries()) measures[i]!.push(await measure(server, body, turn))
      results.push({ name: row.name, measures: measures.map(medians) })
    }
  } finally {
    await Promise.all(servers.map((server) => server.stop()))
  }
  const loss = (off: number, on: number) => `${round(100 * (1 - on / off))} %`
  return {
    title: `Requests per second without and with guards, ${load.connections} connections, medians of ${load.seconds} turns`,
    columns: ['request', ...guards.flatMap(({ name }, i) => (i ? [name, 'loss', 'loss by CPU'] : [name]))],
    rows: results.map(({ name, measures: [off, ...others] }) => [
      name,
      round(off!.perSecond),
      ...others.flatMap((one) => [
        round(one.perSecond),
        loss(off!.perSecond, one.perSecond),
        loss(1 / off!.cpu, 1 / one.cpu),
      ]),
    ]),
    json: { ...load, rows: results },
  }
}
