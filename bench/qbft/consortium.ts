import { readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import * as networkPlan from '../../src/cli/network/networkPlan.ts'
import * as nodeProcess from '../../src/cli/network/nodeProcess.ts'
import { toHex } from '../../src/primitives/hex.ts'
import { privateKeyToAddress } from '../../src/primitives/secp256k1.ts'
import { createBesuNetwork } from '../../test/interop/besuNetwork.ts'
import { writeCliqueGenesis } from '../../test/interop/cliqueGenesis.ts'
import { createGethProcess } from '../../test/interop/gethProcess.ts'
import { createSeat } from '../../test/interop/seat.ts'
import { besuJvm, besuSettings } from '../besuSettings.ts'
import { createClient, until } from '../rpc/client.ts'
import { senderKeys } from './senders.ts'

/** Four validators on this machine, with blocks each second. */
export interface Consortium {
  readonly name: string
  readonly urls: readonly string[]
  readonly pids: readonly number[]
  /** The lowest that all of its nodes take. */
  readonly gasPrice: bigint
  /** Where the first one answers queries of GraphQL. */
  readonly graphqlUrl: string
  stop(): Promise<void>
}

const validators = 4

async function answering(urls: readonly string[]): Promise<void> {
  for (const url of urls) {
    const { call } = createClient(url)
    await until(async () => Number(await call<string>('eth_blockNumber').catch(() => '0x0')) > 0, 120)
  }
}

/** The parts of a build that make a network and start its nodes. */
type NetworkBuild = Pick<typeof networkPlan, 'openNetworkPlan' | 'portsOf'> &
  Pick<typeof nodeProcess, 'startNodeProcess'>

/** Those of another working directory, which `tsc` has built. */
async function loadBuild(dir: string): Promise<NetworkBuild> {
  const load = (file: string) => import(pathToFileURL(join(dir, 'dist/src/cli/network', file)).href)
  return { ...(await load('networkPlan.js')), ...(await load('nodeProcess.js')) } as NetworkBuild
}

/** Starts validators of the build in `other`, or of this one. */
export async function startQuoin(folder: string, basePort: number, other?: string): Promise<Consortium> {
  const { openNetworkPlan, portsOf, startNodeProcess } = other
    ? await loadBuild(other)
    : { ...networkPlan, ...nodeProcess }
  const dir = join(folder, 'quoin')
  const plan = openNetworkPlan(dir, { validators, consensus: 'qbft', period: 1, basePort, fork: 'cancun' })
  const nodes = plan.nodes.map((_, i) => startNodeProcess(dir, plan, i))
  const urls = nodes.map(({ url }) => url)
  const stop = async () => void (await Promise.all(nodes.map((node) => node.stop())))
  try {
    await answering(urls)
  } catch (error) {
    await stop()
    throw error
  }
  const graphqlUrl = `http://127.0.0.1:${portsOf(plan, 0).graphql}/graphql`
  const name = other ? `Quoin of ${basename(other)}` : 'Quoin'
  return { name, urls, pids: nodes.map(({ pid }) => pid), gasPrice: 0n, graphqlUrl, stop }
}

async function startBesu(folder: string, basePort: number, peersDir: string): Promise<Consortium> {
  const dir = join(folder, 'besu')
  const network = createBesuNetwork({
    ...{ peersDir, folder: dir, type: 'qbft', nodes: validators, basePort },
    options: besuSettings,
    jvm: besuJvm,
  })
  const all = network.nodes.map((_, i) => i)
  network.start(...all)
  const urls = network.nodes.map(({ httpPort }) => `http://127.0.0.1:${httpPort}`)
  const stop = async () => network.stop()
  try {
    await answering(urls)
    const pids = all.map((i) => Number(readFileSync(join(dir, `node${i}/pid`), 'utf8')))
    const graphqlUrl = `http://127.0.0.1:${network.nodes[0]!.httpPort + 3}/graphql`
    return { name: 'Besu 24.1.2', urls, pids, gasPrice: 0n, graphqlUrl, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/** Gas of a block: as much as the networks of the others have. */
const gasLimit = 2n ** 53n - 1n

/**
 * The genesis file of geth's network. Without London its fees stay as they are; the senders have what they pay, for geth passes on no
 * transaction that pays nothing.
 */
function writeGethGenesis(file: string, signers: readonly string[]): void {
  writeCliqueGenesis(file, signers, 'geth')
  const { config, alloc, ...rest } = JSON.parse(readFileSync(file, 'utf8')) as Record<'config' | 'alloc', object>
  const { londonBlock: _, ...berlin } = config as Record<string, unknown>
  const funded = senderKeys.map((key) => [toHex(privateKeyToAddress(key)), { balance: '0xd3c21bcecceda1000000' }])
  const all = { ...alloc, ...Object.fromEntries(funded) }
  writeFileSync(file, JSON.stringify({ ...rest, gasLimit: toQuantity(gasLimit), config: berlin, alloc: all }))
}

const toQuantity = (n: bigint): string => `0x${n.toString(16)}`

const gethOptions = [
  ...['--nodiscover', '--graphql', '--rpc.txfeecap=0'],
  ...['--miner.gasprice=1', `--miner.gaslimit=${gasLimit}`],
  ...['--txpool.accountslots=1000', '--txpool.globalslots=100000'],
  ...['--txpool.accountqueue=1000', '--txpool.globalqueue=100000'],
]

/** geth has no QBFT: its signers run Clique. */
async function startGeth(folder: string, basePort: number, peersDir: string): Promise<Consortium> {
  const seats = Array.from({ length: validators }, (_, i) => createSeat(folder, `geth${i}`, basePort, i))
  const genesisFile = join(folder, 'genesis.json')
  writeGethGenesis(
    genesisFile,
    seats.map(({ address }) => address),
  )
  const nodes = seats.map((seat) => createGethProcess({ seat, peersDir, genesisFile, signs: true }))
  const urls = seats.map(({ httpPort }) => `http://127.0.0.1:${httpPort}`)
  const stop = async () => void (await Promise.all(nodes.map((node) => node.stop())))
  for (const node of nodes) node.start(...gethOptions)
  try {
    for (const [i, node] of nodes.entries())
      for (const other of seats.filter((_, j) => j !== i))
        await until(() => node.call('admin_addPeer', other.enode).catch(() => null), 60)
    await answering(urls)
    return {
      name: 'geth 1.13.15',
      urls,
      pids: nodes.map((node) => node.pid()!),
      gasPrice: 1n,
      graphqlUrl: `${urls[0]}/graphql`,
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}

export const consortia = {
  quoin: (folder: string, basePort: number) => startQuoin(folder, basePort),
  besu: startBesu,
  geth: startGeth,
} as const

/** What Linux tells of a validator's process. */
function statusOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/status`, 'utf8')
  } catch (error) {
    throw new Error(`validator ${pid} went down`, { cause: error })
  }
}

/** The largest of the validators by one of those figures, in MB. */
function largest({ pids }: Consortium, figure: 'VmHWM' | 'RssAnon'): number {
  const pattern = new RegExp(`${figure}:\\s+(\\d+)`)
  return Math.max(...pids.map((pid) => Number(pattern.exec(statusOf(pid))?.[1]))) / 1024
}

/** The memory of the largest validator, in MB. */
export interface PeakMemory {
  /** All that was ever resident, with the pages of the database's file that the kernel has mapped. */
  readonly resident: number
  /** Without what is in files and can be dropped at any time. */
  readonly anonymous: number
}

/** Milliseconds between looks at the memory. */
const lookEvery = 500

/** Follows the memory of the validators until it is asked for. */
export function followMemory(consortium: Consortium): () => PeakMemory {
  let anonymous = 0
  const look = () => {
    anonymous = Math.max(anonymous, largest(consortium, 'RssAnon'))
  }
  const timer = setInterval(() => {
    try {
      look()
    } catch {
      // Anyone who asks in the end is told.
      clearInterval(timer)
    }
  }, lookEvery)
  return () => {
    clearInterval(timer)
    look()
    return { resident: largest(consortium, 'VmHWM'), anonymous }
  }
}

/** Milliseconds per tick of the CPU times that Linux tells of. */
const tick = 10

/** Milliseconds of CPU time that the validators have taken so far, all together. */
export function cpuTime({ pids }: Pick<Consortium, 'pids'>): number {
  const times = pids.map((pid) => {
    // The name, in parentheses, may have spaces in it; behind it the times in user and system mode are 12th and 13th.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')
    return (Number(fields[11]) + Number(fields[12])) * tick
  })
  return times.reduce((sum, time) => sum + time, 0)
}
