import { spawnSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { freePort } from '../../test/support/freePort.ts'
import { type ServerProcess, startServer } from '../rpc/servers.ts'
import { benchChainId } from '../signedTransfers.ts'
import { type PreparedChain, prepareGeth } from './preparedChain.ts'

/** A node and the port that its peers call. */
export interface SyncNode extends ServerProcess {
  readonly p2pPort: number
}

/** A client that serves the chain to one of its own kind. */
export interface SyncClient {
  readonly name: string
  /** A node that has the chain. */
  serve(chain: PreparedChain): Promise<SyncNode>
  /** A node in a data directory, which has nothing but the genesis block if it is new. */
  begin(chain: PreparedChain, data: string): Promise<SyncNode>
}

const quoinProgram = fileURLToPath(new URL('../../src/cli/main.js', import.meta.url))

async function startQuoin({ genesis }: PreparedChain, data: string, nodeOptions: readonly string[]): Promise<SyncNode> {
  const [port, p2pPort] = [await freePort(), await freePort()]
  const options = [
    `--genesis-file=${genesis}`,
    `--data-path=${data}`,
    `--p2p-port=${p2pPort}`,
    '--discovery-enabled=false',
    '--rpc-http-enabled',
    `--rpc-http-port=${port}`,
    '--rpc-http-api=ADMIN,ETH',
    '--logging=OFF',
  ]
  const server = await startServer('Quoin', process.execPath, [...nodeOptions, quoinProgram, ...options], port)
  return { ...server, p2pPort }
}

/** Options of Node.js, for example for a profile, go to the node that syncs. */
export function quoin(nodeOptions: readonly string[]): SyncClient {
  return {
    name: 'Quoin',
    serve: (chain) => startQuoin(chain, join(chain.folder, 'quoin'), []),
    begin(chain, data) {
      mkdirSync(data, { recursive: true })
      return startQuoin(chain, data, nodeOptions)
    },
  }
}

async function startGeth(program: string, data: string): Promise<SyncNode> {
  const [port, p2pPort, enginePort] = [await freePort(), await freePort(), await freePort()]
  const flags = ['--nodiscover', '--ipcdisable', '--http', '--http.api=admin,eth', '--nat=none', '--verbosity=1']
  const values = [
    ['--datadir', data],
    ['--networkid', String(benchChainId)],
    ['--syncmode', 'full'],
    ['--port', String(p2pPort)],
    ['--http.port', String(port)],
    ['--authrpc.port', String(enginePort)],
  ]
  return { ...(await startServer('geth 1.13.15', program, [...flags, ...values.flat()], port)), p2pPort }
}

export function geth(program: string): SyncClient {
  return {
    name: 'geth 1.13.15',
    serve: (chain) => startGeth(program, prepareGeth(chain, program)),
    async begin({ genesis }, data) {
      const { status, error, stderr } = spawnSync(program, ['--datadir', data, 'init', genesis], { encoding: 'utf8' })
      if (status !== 0) throw new Error(`geth cannot be run: ${error?.message ?? stderr}`)
      return startGeth(program, data)
    },
  }
}
