import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { resolveConfig } from '../../src/config/resolveConfig.ts'
import { runNode } from '../../src/node/runNode.ts'
import { systemClock } from '../../src/primitives/clock.ts'
import { packageRoot } from '../../src/primitives/packageRoot.ts'
import { freePort } from '../../test/support/freePort.ts'
import { createSilentLogs } from '../../test/support/silentLogs.ts'
import { createClient, until } from './client.ts'

/** A node that answers. */
export interface Server {
  readonly name: string
  readonly url: string
  /** What each request has to have. */
  readonly headers?: Readonly<Record<string, string>>
  stop(): Promise<void>
}

/** Where a server lives. */
export interface Place {
  readonly folder: string
  /** Folder with the programs that are not fetched from a registry. */
  readonly peersDir: string
  /** Seconds between blocks; 0 makes one as soon as a transaction waits. */
  readonly period: number
  /** Port for GraphQL, which is off without it; geth serves it at the port of JSON-RPC. */
  readonly graphqlPort?: number
  /** Port for WebSocket, which is off without it. */
  readonly wsPort?: number
}

async function stopChild(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  const force = setTimeout(() => child.kill('SIGKILL'), 10_000)
  await ended
  clearTimeout(force)
}

/** A server in a process of its own. */
export interface ServerProcess extends Server {
  readonly pid: number
  /** What it last wrote to its standard error. */
  complaints(): string
}

/** Starts a program that serves JSON-RPC at a port of the loopback device; resolves when it answers. */
export async function startServer(
  name: string,
  program: string,
  args: readonly string[],
  port: number,
  headers: Readonly<Record<string, string>> = {},
): Promise<ServerProcess> {
  const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'pipe'] })
  let noise = ''
  child.stderr.on('data', (bytes) => (noise = (noise + bytes).slice(-2000)))
  let failure: string | undefined
  child.on('error', (error) => (failure = error.message))
  child.on('exit', () => (failure ??= noise))
  const scheme = args.includes('--rpc-http-tls-enabled') ? 'https' : 'http'
  const url = `${scheme}://127.0.0.1:${port}`
  const { call } = createClient(url, headers)
  try {
    await until(async () => {
      if (failure !== undefined) throw new Error(`${name} does not start: ${failure}`)
      return call('eth_chainId').then(
        () => true,
        () => false,
      )
    }, 60)
  } catch (error) {
    await stopChild(child)
    throw error
  }
  return { name, url, headers, pid: child.pid!, complaints: () => noise, stop: () => stopChild(child) }
}

const quoinProgram = join(packageRoot, 'dist/src/cli/main.js')

/** Options of a Quoin that serves one folder. */
function quoinOptions({ folder, period, graphqlPort, wsPort }: Place, port: number): Map<string, string> {
  return new Map([
    ['dev-fork', 'london'],
    ['rpc-http-api', 'ETH,NET,WEB3'],
    ['dev-period', String(period)],
    ['data-path', join(folder, 'quoin')],
    ['rpc-http-port', String(port)],
    ['rpc-ws-enabled', String(wsPort !== undefined)],
    ['rpc-ws-port', String(wsPort ?? 0)],
    ['graphql-http-enabled', String(graphqlPort !== undefined)],
    ['graphql-http-port', String(graphqlPort ?? 0)],
    ['p2p-enabled', 'false'],
    ['tx-pool-max-future-by-sender', '1000'],
    ['logging', 'OFF'],
  ])
}

/** Starts a Quoin in a process of its own; `more` are further options, `headers` what its clients have to send. */
export async function startQuoin(
  place: Place,
  more: readonly string[] = [],
  headers: Readonly<Record<string, string>> = {},
): Promise<ServerProcess> {
  const port = await freePort()
  const options = [...quoinOptions(place, port)].map(([name, value]) => `--${name}=${value}`)
  return startServer('Quoin', process.execPath, [quoinProgram, ...options, ...more], port, headers)
}

/** More than the seconds by which the time stamps of blocks that are made in a row run ahead. */
const lag = 3_600_000

/** A Quoin in this process whose clock is slow: others would refuse blocks from the future. */
export async function fillQuoin(place: Place): Promise<Server> {
  const port = await freePort()
  const { config } = resolveConfig(quoinOptions(place, port), {})
  const loggers = createSilentLogs()
  const node = await runNode(config, loggers, { ...systemClock, now: () => Date.now() - lag })
  return { name: 'Quoin', url: `http://127.0.0.1:${port}`, stop: () => node.stop() }
}

/** Runs a program to its end. */
function runProgram(program: string, args: readonly string[]): void {
  const { status, stderr } = spawnSync(program, args, { encoding: 'utf8' })
  if (status !== 0) throw new Error(`${program} ${args.join(' ')}: ${stderr.slice(-500)}`)
}

const chainFile = ({ folder }: Place) => join(folder, 'chain.rlp')

function exportQuoin(place: Place): void {
  const data = `--data-path=${join(place.folder, 'quoin')}`
  runProgram(process.execPath, [
    quoinProgram,
    data,
    '--dev-fork=london',
    'blocks',
    'export',
    `--to=${chainFile(place)}`,
  ])
}

/** Besu takes Quoin's chain over: it could not make so many blocks in the time. */
function importBesu(place: Place): void {
  const { folder, peersDir } = place
  const network = ['--network=dev', `--data-path=${join(folder, 'besu')}`]
  const blocks = ['blocks', 'import', `--from=${chainFile(place)}`, '--skip-pow-validation-enabled']
  runProgram(join(peersDir, 'besu/besu'), [...network, ...blocks])
}

async function startBesu({ folder, peersDir }: Place): Promise<Server> {
  const port = await freePort()
  const options = [
    ...['--network=dev', `--data-path=${join(folder, 'besu')}`, '--p2p-enabled=false', '--logging=ERROR'],
    ...['--miner-enabled', '--miner-coinbase=0xfe3b557e8fb62b89f4916b721be55ceb828dbd73', '--min-gas-price=0'],
    ...['--rpc-http-enabled', `--rpc-http-port=${port}`, '--rpc-http-api=ETH,NET,WEB3'],
    '--tx-pool-max-future-by-sender=1000',
  ]
  return startServer('Besu 24.1.2', join(peersDir, 'besu/besu'), options, port)
}

async function startGeth({ folder, peersDir, period, graphqlPort }: Place): Promise<Server> {
  const port = await freePort()
  const options = [
    ...['--dev', `--dev.period=${period}`, '--dev.gaslimit=100000000', `--datadir=${join(folder, 'geth')}`],
    ...['--ipcdisable', '--maxpeers=0', '--verbosity=1', '--rpc.txfeecap=0'],
    ...[
      '--http',
      `--http.port=${port}`,
      `--authrpc.port=${await freePort()}`,
      `--graphql=${graphqlPort !== undefined}`,
    ],
    ...['--txpool.accountslots=10000', '--txpool.globalslots=1000000'],
    ...['--txpool.accountqueue=10000', '--txpool.globalqueue=1000000'],
  ]
  return startServer('geth 1.13.15', join(peersDir, 'geth/geth'), options, port)
}

/** The binary of the npm package, which is fetched on first use and is no dependency. */
export function anvilBinary(): string {
  const folder = join(tmpdir(), 'quoin-bench/anvil')
  const binary = join(folder, 'node_modules/@foundry-rs/anvil-linux-amd64/bin/anvil')
  if (!existsSync(binary)) {
    const { status, stderr } = spawnSync('npm', ['install', '--prefix', folder, '--no-save', '@foundry-rs/anvil@1.7.1'])
    if (status !== 0) throw new Error(`anvil cannot be had: ${stderr}`)
  }
  return binary
}

async function startAnvil(): Promise<Server> {
  const port = await freePort()
  const options = ['--silent', `--port=${port}`, '--chain-id=1337', '--gas-limit=100000000', '--balance=10000000']
  return startServer('anvil', anvilBinary(), options, port)
}

interface Kind {
  start(place: Place): Promise<Server>
  /** Starts the one that is given the content, where that is another one. */
  readonly fill?: (place: Place) => Promise<Server>
  /** Hands its content to others that copy it. */
  readonly give?: (place: Place) => void
  /** Takes over what was handed out, instead of being given a content of its own. */
  readonly take?: (place: Place) => void
  /** Its content survives a restart. */
  readonly keepsData: boolean
}

export type ServerName = 'quoin' | 'besu' | 'geth' | 'anvil'

/** Those that can be measured, by the name of an option. */
export const servers: Record<ServerName, Kind> = {
  quoin: { start: (place) => startQuoin(place), fill: fillQuoin, give: exportQuoin, keepsData: true },
  besu: { start: startBesu, take: importBesu, keepsData: true },
  geth: { start: startGeth, keepsData: true },
  anvil: { start: startAnvil, keepsData: false },
}
