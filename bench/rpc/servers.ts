import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { packageRoot } from '../../src/primitives/packageRoot.ts'
import { createClient, until } from './client.ts'

/** A node that answers. */
export interface Server {
  readonly name: string
  readonly url: string
  stop(): Promise<void>
}

/** Where a server lives. */
export interface Place {
  readonly folder: string
  /** Folder with the programs that are not fetched from a registry. */
  readonly peersDir: string
  /** Seconds between blocks; 0 makes one as soon as a transaction waits. */
  readonly period: number
}

/** A free port of the loopback device, as far as one can know. */
async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const address = probe.address()
  probe.close()
  await once(probe, 'close')
  if (address === null || typeof address === 'string') throw new Error('no port')
  return address.port
}

async function stopChild(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  const force = setTimeout(() => child.kill('SIGKILL'), 10_000)
  await ended
  clearTimeout(force)
}

async function start(name: string, program: string, args: readonly string[], port: number): Promise<Server> {
  const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'pipe'] })
  let noise = ''
  child.stderr.on('data', (bytes) => (noise = (noise + bytes).slice(-2000)))
  let failure: string | undefined
  child.on('error', (error) => (failure = error.message))
  child.on('exit', () => (failure ??= noise))
  const url = `http://127.0.0.1:${port}`
  const { call } = createClient(url)
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
  return { name, url, stop: () => stopChild(child) }
}

async function startQuoin({ folder, period }: Place): Promise<Server> {
  const port = await freePort()
  const options = [
    `--dev-period=${period}`,
    `--data-path=${join(folder, 'quoin')}`,
    `--rpc-http-port=${port}`,
    '--rpc-ws-enabled=false',
    '--tx-pool-max-future-by-sender=1000',
    '--logging=OFF',
  ]
  return start('Quoin', process.execPath, [join(packageRoot, 'dist/src/cli/main.js'), ...options], port)
}

async function startGeth({ folder, peersDir, period }: Place): Promise<Server> {
  const port = await freePort()
  const options = [
    ...['--dev', `--dev.period=${period}`, '--dev.gaslimit=100000000', `--datadir=${join(folder, 'geth')}`],
    ...['--ipcdisable', '--maxpeers=0', '--verbosity=1', '--rpc.txfeecap=0'],
    ...['--http', `--http.port=${port}`, `--authrpc.port=${await freePort()}`],
    ...['--txpool.accountslots=10000', '--txpool.globalslots=1000000'],
    ...['--txpool.accountqueue=10000', '--txpool.globalqueue=1000000'],
  ]
  return start('geth 1.13.15', join(peersDir, 'geth/geth'), options, port)
}

/** The binary of the npm package, which is fetched on first use and is no dependency. */
function anvilBinary(): string {
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
  return start('anvil', anvilBinary(), options, port)
}

interface Kind {
  start(place: Place): Promise<Server>
  /** Its content survives a restart. */
  readonly keepsData: boolean
}

/** Those that can be measured, by the name of an option. */
export const servers = {
  quoin: { start: startQuoin, keepsData: true },
  geth: { start: startGeth, keepsData: true },
  anvil: { start: startAnvil, keepsData: false },
} as const satisfies Record<string, Kind>
export type ServerName = keyof typeof servers
