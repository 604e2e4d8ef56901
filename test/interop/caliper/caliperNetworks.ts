import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { besuJvm, besuSettings } from '../../../bench/besuSettings.ts'
import { createBesuNetwork } from '../besuNetwork.ts'
import { createQuoinProcess } from '../quoinProcess.ts'
import { createRpcNode, reach } from '../rpcNode.ts'

/** Four validators of one make that run. */
export interface CaliperNetwork {
  readonly httpUrl: string
  readonly wsUrl: string
  readonly pids: readonly number[]
  stop(): Promise<void>
}

const validators = 4
/** Blocks that a network has made before it is used. */
const warmUp = 3
/** What is left of the data of a node when its network starts anew. */
const identity = ['key', 'key.pub', 'static-nodes.json']

/** Networks of Quoin and of Besu with the same keys and the same genesis file, which Besu's tools make; one at a time, each from block 0 on. */
export function createCaliperNetworks({
  folder,
  peersDir,
  basePort,
}: {
  readonly folder: string
  readonly peersDir: string
  readonly basePort: number
}) {
  const dir = join(folder, 'validators')
  const network = createBesuNetwork({
    ...{ peersDir, folder: dir, type: 'qbft', nodes: validators, basePort },
    options: besuSettings,
    jvm: besuJvm,
  })
  const { nodes, genesisFile } = network
  const all = nodes.map((_, i) => i)
  const urls = { httpUrl: `http://127.0.0.1:${basePort}`, wsUrl: `ws://127.0.0.1:${basePort + 1}` }

  function forget(): void {
    for (const node of nodes)
      for (const file of readdirSync(node.folder))
        if (!identity.includes(file)) rmSync(join(node.folder, file), { recursive: true })
  }

  async function started(pids: () => readonly number[], stop: () => Promise<void>): Promise<CaliperNetwork> {
    try {
      await reach(
        nodes.map(({ httpPort }, i) => createRpcNode(`validator ${i}`, httpPort)),
        warmUp,
      )
      return { ...urls, pids: pids(), stop }
    } catch (error) {
      await stop()
      throw error
    }
  }

  async function startBesu(): Promise<CaliperNetwork> {
    forget()
    network.start(...all)
    const pidOf = (i: number) => Number(readFileSync(join(dir, `node${i}/pid`), 'utf8'))
    return started(
      () => all.map(pidOf),
      async () => network.stop(),
    )
  }

  async function startQuoin(): Promise<CaliperNetwork> {
    forget()
    const processes = nodes.map((node, i) => createQuoinProcess({ ...node, name: `quoin${i}`, genesisFile }))
    for (const [i, node] of processes.entries())
      node.start('--rpc-ws-enabled', `--rpc-ws-port=${nodes[i]!.httpPort + 1}`)
    return started(
      () => processes.map((node) => node.pid()!),
      async () => void (await Promise.all(processes.map((node) => node.stop()))),
    )
  }

  return { Quoin: startQuoin, 'Besu 24.1.2': startBesu }
}
