import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { runBesu } from './besuProcess.ts'
import { createNodeProcess } from './nodeProcess.ts'
import { eventually, heightOf } from './rpcNode.ts'

interface BesuChainOptions {
  readonly peersDir: string
  /** For its data. */
  readonly folder: string
  readonly genesis: string
  /** File of block RLPs. */
  readonly blocks: string
  /** This one and the one after it are used. */
  readonly port: number
}

/** A Besu that has imported a chain and answers for it. */
export interface BesuChain {
  readonly url: string
  readonly head: number
  stop(): Promise<void>
}

/** Imports the chain into a fresh folder, whatever proof of work it has, and serves it. */
export async function startBesuChain(options: BesuChainOptions): Promise<BesuChain> {
  const { peersDir, folder, genesis, blocks, port } = options
  mkdirSync(folder, { recursive: true })
  const common = [`--data-path=${folder}`, `--genesis-file=${genesis}`]
  runBesu(peersDir, undefined, ...common, 'blocks', 'import', '--skip-pow-validation-enabled', `--from=${blocks}`)
  const node = createNodeProcess({
    name: 'besu',
    httpPort: port,
    logFile: join(folder, 'besu.log'),
    command: join(peersDir, 'besu/besu'),
    env: { BESU_OPTS: '-Xmx2g', ...process.env },
    args: [
      ...[...common, '--p2p-enabled=false', '--host-allowlist=*', `--engine-rpc-port=${port + 1}`],
      ...['--rpc-http-enabled', `--rpc-http-port=${port}`, '--rpc-http-api=DEBUG,ETH,TRACE'],
    ],
  })
  node.start()
  try {
    const head = await eventually('Besu answers', () => heightOf(node))
    return { url: `http://127.0.0.1:${port}`, head, stop: node.stop }
  } catch (error) {
    await node.stop()
    throw error
  }
}
