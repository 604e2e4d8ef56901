import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { createNodeProcess, type NodeProcess } from './nodeProcess.ts'
import type { Seat } from './seat.ts'

export interface BesuOptions {
  readonly seat: Pick<Seat, 'name' | 'folder' | 'httpPort' | 'p2pPort'>
  readonly peersDir: string
  /** The development network when left out. */
  readonly genesisFile?: string
  /** Groups of methods; the usual ones when left out. */
  readonly apis?: string
  /** The usual one when left out. */
  readonly version?: string
  /** None when left out. */
  readonly minGasPrice?: number
}

const programIn = (peersDir: string) => join(peersDir, 'besu/besu')

/** Does something with Besu, of the usual version if none is named, that is not a node. */
export function runBesu(peersDir: string, version: string | undefined, ...args: readonly string[]): void {
  const env = { ...process.env, ...(version !== undefined && { BESU_PEER_VERSION: version }) }
  const { status, stdout, stderr, error } = spawnSync(programIn(peersDir), args, { encoding: 'utf8', env })
  if (status !== 0) throw new Error(`Besu fails: ${error?.message ?? (stdout + stderr).slice(-500)}`)
}

const usualApis = 'ADMIN,CLIQUE,ETH,NET,PERM,QBFT,WEB3'

/** A Besu with the key of its seat and a database of its own. */
export function createBesuProcess({
  seat,
  peersDir,
  genesisFile,
  apis = usualApis,
  version,
  minGasPrice = 0,
}: BesuOptions): NodeProcess {
  const { name, folder, httpPort, p2pPort } = seat
  return createNodeProcess({
    name,
    httpPort,
    logFile: join(folder, 'besu.log'),
    command: programIn(peersDir),
    env: {
      BESU_OPTS: '-Xmx512m',
      ...process.env,
      ...(version !== undefined && { BESU_PEER_VERSION: version }),
    },
    args: [
      ...[genesisFile === undefined ? '--network=dev' : `--genesis-file=${genesisFile}`, `--data-path=${folder}`],
      ...['--sync-mode=FULL', '--sync-min-peers=1', '--host-allowlist=*', `--min-gas-price=${minGasPrice}`],
      ...['--p2p-host=127.0.0.1', '--p2p-interface=127.0.0.1', `--p2p-port=${p2pPort}`, '--nat-method=NONE'],
      ...['--rpc-http-enabled', `--rpc-http-port=${httpPort}`, `--rpc-http-api=${apis}`],
    ],
  })
}
