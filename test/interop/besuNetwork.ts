import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** A network of validators that Besu's own tools made; any of its nodes can be run by Besu or by others. */
export interface BesuNetwork {
  readonly genesisFile: string
  readonly nodes: readonly BesuNode[]
  /** Returns when every one of them answers. */
  start(...nodes: readonly number[]): void
  stop(...nodes: readonly number[]): void
}

export interface BesuNode {
  readonly address: string
  readonly enode: string
  /** Data path, with the key and the static nodes. */
  readonly folder: string
  readonly httpPort: number
  readonly p2pPort: number
}

export interface BesuNetworkOptions {
  readonly peersDir: string
  readonly folder: string
  readonly type: 'qbft' | 'ibft2' | 'clique'
  readonly nodes: number
  readonly basePort: number
  /** Seconds from block to block; a round without a block lasts twice as long. */
  readonly period?: number
  /** The usual one when left out. */
  readonly version?: string
  /** Seconds that a round may last instead. */
  readonly roundTimeout?: number
  /** Further options of each Besu. */
  readonly options?: readonly string[]
  /** Options of each JVM. */
  readonly jvm?: string
}

export function createBesuNetwork(options: BesuNetworkOptions): BesuNetwork {
  const {
    peersDir,
    folder,
    type,
    nodes,
    basePort,
    period = 1,
    roundTimeout,
    options: more = [],
    jvm,
    version,
  } = options
  const env = {
    ...process.env,
    ...(jvm !== undefined && { BESU_OPTS: jvm }),
    ...(version !== undefined && { BESU_PEER_VERSION: version }),
  }
  const script = join(peersDir, 'besu/qbft-network')
  function run(verb: string, ...args: readonly string[]): void {
    const { status, stderr, error } = spawnSync(script, [verb, folder, ...args], { encoding: 'utf8', env })
    if (status !== 0) throw new Error(`besu's network does not ${verb}: ${error?.message ?? stderr.slice(-500)}`)
  }
  const wanted = { type, nodes, 'base-port': basePort, period }
  run('generate', ...Object.entries(wanted).flatMap(([name, value]) => [`--${name}`, String(value)]))
  const genesisFile = join(folder, 'genesis.json')
  if (roundTimeout !== undefined) setRoundTimeout(genesisFile, type, roundTimeout)
  const lines = readFileSync(join(folder, 'nodes'), 'utf8').trim().split('\n')
  return {
    genesisFile,
    nodes: lines.map((line) => {
      const [number, address, enode, http] = line.split(' ')
      const httpPort = Number(http)
      return {
        address: address!,
        enode: enode!,
        folder: join(folder, `node${number}/data`),
        httpPort,
        p2pPort: httpPort + 2,
      }
    }),
    start: (...which) => run('start', ...which.map(String), '--', ...more),
    stop: (...which) => run('stop', ...which.map(String)),
  }
}

/** The block of the genesis file does not depend on it. */
function setRoundTimeout(genesisFile: string, type: BesuNetworkOptions['type'], seconds: number): void {
  const genesis = JSON.parse(readFileSync(genesisFile, 'utf8'))
  genesis.config[type].requesttimeoutseconds = seconds
  writeFileSync(genesisFile, JSON.stringify(genesis, null, 2))
}
