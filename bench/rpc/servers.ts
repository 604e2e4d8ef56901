import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { packageRoot } from '../../src/primitives/packageRoot.ts'
import { freePort } from '../../test/support/freePort.ts'
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

interface StartOptions {
  /** What its clients have to send. */
  readonly headers?: Readonly<Record<string, string>>
  /** Further environment variables. */
  readonly env?: Readonly<Record<string, string>>
}

/** Seconds until it answers: a genesis file may have a million accounts. */
const patience = 600

/** Starts a program that serves JSON-RPC at a port of the loopback device; resolves when it answers. */
export async function startServer(
  name: string,
  program: string,
  args: readonly string[],
  port: number,
  { headers = {}, env }: StartOptions = {},
): Promise<ServerProcess> {
  const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'pipe'], env: { ...process.env, ...env } })
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
    }, patience)
  } catch (error) {
    await stopChild(child)
    throw error
  }
  return { name, url, headers, pid: child.pid!, complaints: () => noise, stop: () => stopChild(child) }
}

export const quoinProgram = join(packageRoot, 'dist/src/cli/main.js')

/** For the connections of several loads: those of the one before may still be closing. */
export const maxConnections = '300'

/** Options of a Quoin that serves the development network of one folder. */
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
    ['rpc-http-max-active-connections', maxConnections],
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
  return startServer('Quoin', process.execPath, [quoinProgram, ...options, ...more], port, { headers })
}

/** Starts a geth with a development network. */
export async function startGethDev({ folder, peersDir, period, graphqlPort }: Place): Promise<Server> {
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
