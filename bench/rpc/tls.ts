import { cpSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageRoot } from '../../src/primitives/packageRoot.ts'
import { round } from '../rate.ts'
import type { BenchTable } from '../table.ts'
import { type Call, createClient, requestBody } from './client.ts'
import { type LoadOptions, repeatRequest } from './load.ts'
import { type Prepared, prepare } from './prepare.ts'
import { type Row, rows } from './rows.ts'
import { fillQuoin, type Place, type ServerProcess, startQuoin } from './servers.ts'

const fixture = (name: string) => join(packageRoot, 'test/fixtures/tls', name)
const tlsFlags = [
  '--rpc-http-tls-enabled',
  `--rpc-http-tls-certificate-file=${fixture('server.crt')}`,
  `--rpc-http-tls-key-file=${fixture('server.key')}`,
]
/** Seconds for which one server is measured before it is the other's turn: what else the machine does then falls on both. */
const turn = 2

/** Requests per second, and microseconds of CPU time per request, of one server. */
interface Measure {
  readonly perSecond: number
  readonly cpu: number
}

/** Seconds of CPU time that a process has used; 0 where there is no /proc. */
function cpuSeconds(pid: number): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ')
    return (Number(fields[11]) + Number(fields[12])) / 100
  } catch {
    return 0
  }
}

async function measure({ url, pid }: ServerProcess, body: string, load: LoadOptions): Promise<Measure> {
  const before = cpuSeconds(pid)
  const perSecond = await repeatRequest(url, body, load)
  return { perSecond, cpu: ((cpuSeconds(pid) - before) * 1e6) / (perSecond * load.seconds) }
}

async function checkAnswer({ url }: ServerProcess, row: Row, content: Prepared): Promise<string> {
  const call = row.call(content)
  const client = createClient(url)
  const answer = await (Array.isArray(call[0]) ? client.batch(call as readonly Call[]) : client.call(...(call as Call)))
  if (!row.isRight(answer)) throw new Error(`${url} answers ${JSON.stringify(answer).slice(0, 200)} to ${row.name}`)
  return requestBody(call)
}

function mean(measures: readonly Measure[]): Measure {
  const average = (of: (one: Measure) => number) => measures.reduce((sum, one) => sum + of(one), 0) / measures.length
  return { perSecond: average((one) => one.perSecond), cpu: average((one) => one.cpu) }
}

/** Measures one Quoin without and one with TLS, in turn, over connections that are kept. */
export async function compareTls(place: Place, load: LoadOptions): Promise<BenchTable> {
  const filling = await fillQuoin({ ...place, period: 0 })
  const content = await prepare(createClient(filling.url)).finally(() => filling.stop())
  const secondFolder = join(place.folder, 'tls')
  mkdirSync(secondFolder)
  cpSync(join(place.folder, 'quoin'), join(secondFolder, 'quoin'), { recursive: true })
  const servers: ServerProcess[] = []
  const results: { name: string; off: Measure; tls: Measure }[] = []
  try {
    servers.push(await startQuoin(place))
    servers.push(await startQuoin({ ...place, folder: secondFolder }, tlsFlags))
    const slice = { ...load, seconds: turn }
    for (const row of rows) {
      const measures: Measure[][] = [[], []]
      for (const server of servers) {
        const body = await checkAnswer(server, row, content)
        await repeatRequest(server.url, body, { ...load, seconds: 1 })
      }
      const body = requestBody(row.call(content))
      for (let spent = 0; spent < load.seconds; spent += turn)
        for (const [i, server] of servers.entries()) measures[i]!.push(await measure(server, body, slice))
      results.push({ name: row.name, off: mean(measures[0]!), tls: mean(measures[1]!) })
    }
  } finally {
    await Promise.all(servers.map((server) => server.stop()))
  }
  const loss = (off: number, tls: number) => `${round(100 * (1 - tls / off))} %`
  return {
    title: `Requests per second over HTTP and HTTPS, ${load.connections} connections, ${load.seconds} s each`,
    columns: ['request', 'off', 'TLS', 'loss', 'µs CPU off', 'µs CPU TLS', 'loss by CPU'],
    rows: results.map(({ name, off, tls }) => [
      name,
      ...[off.perSecond, tls.perSecond].map(round),
      loss(off.perSecond, tls.perSecond),
      ...[off.cpu, tls.cpu].map(round),
      loss(1 / off.cpu, 1 / tls.cpu),
    ]),
    json: { ...load, rows: results },
  }
}
