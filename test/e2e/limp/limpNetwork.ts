import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { nodeFolder, openNetworkPlan } from '../../../src/cli/network/networkPlan.ts'
import { createBesuProcess } from '../../interop/besuProcess.ts'
import { createNodeProcess, type NodeProcess } from '../../interop/nodeProcess.ts'
import { quoinProgram } from '../../interop/quoinProcess.ts'
import { freePort } from '../../support/freePort.ts'
import { openTcpLink, type TcpLink } from './tcpLink.ts'

export interface LimpNetworkOptions {
  readonly folder: string
  readonly validators: number
  readonly consensus: 'qbft' | 'ibft2'
  readonly requestTimeoutSeconds: number
  /** Numbers of the validators that are Besu; they have no clock and no flaws to set. */
  readonly besu?: readonly number[]
  /** Folder with programs of others. */
  readonly peersDir?: string
  /** Further options of each node. */
  readonly more?: (node: number) => readonly string[]
}

/** A validator in a process of its own. */
export interface LimpNode {
  readonly process: NodeProcess
  readonly address: string
  readonly wsPort: number
  readonly logFile: string
  /** Its connections; the way from it to the other is named for each. */
  readonly links: { readonly link: TcpLink; readonly out: 'forth' | 'back' }[]
  setClock(offset: number): void
  /** What is wrong with the blocks that it proposes; nothing when empty. */
  setFlaw(flaw: 'state root' | 'future' | ''): void
}

export interface LimpNetwork {
  readonly nodes: readonly LimpNode[]
  close(): Promise<void>
}

const clockPreload = fileURLToPath(new URL('../../chaos/preload.js', import.meta.url))
const flawPreload = fileURLToPath(new URL('./invalidBlocks.js', import.meta.url))

interface Ports {
  readonly http: number
  readonly ws: number
  readonly p2p: number
}

/** Validators that are all connected, each two through a link of their own; none is started. */
export async function openLimpNetwork(options: LimpNetworkOptions): Promise<LimpNetwork> {
  const { validators, consensus, requestTimeoutSeconds } = options
  mkdirSync(options.folder, { recursive: true })
  const folder = join(options.folder, 'net')
  const besu = options.besu ?? []
  // Besu 24.1 makes no blocks of Shanghai.
  const fork = besu.length > 0 ? 'london' : undefined
  const plan = openNetworkPlan(folder, { validators, consensus, period: 1, basePort: undefined, fork })
  const genesisFile = join(folder, 'genesis.json')
  const genesis = JSON.parse(readFileSync(genesisFile, 'utf8'))
  genesis.config[consensus].requesttimeoutseconds = requestTimeoutSeconds
  writeFileSync(genesisFile, JSON.stringify(genesis))
  const ports: Ports[] = []
  for (let i = 0; i < validators; i++)
    ports.push({ http: await freePort(), ws: await freePort(), p2p: await freePort() })
  const nodes = plan.nodes.map(({ address }, i) =>
    besu.includes(i)
      ? createLimpBesu(folder, i, address, ports[i]!, options.peersDir!)
      : createLimpNode(folder, i, address, ports[i]!, options.more?.(i)),
  )
  const links: TcpLink[] = []
  for (const [i, one] of nodes.entries()) {
    const enodes: string[] = []
    for (const [j, other] of nodes.entries()) {
      if (j <= i) continue
      const link = await openTcpLink(ports[j]!.p2p)
      links.push(link)
      one.links.push({ link, out: 'forth' })
      other.links.push({ link, out: 'back' })
      enodes.push(plan.nodes[j]!.enode.replace(/@.*/, `@127.0.0.1:${link.port}`))
    }
    writeFileSync(join(nodeFolder(folder, i), 'static-nodes.json'), JSON.stringify(enodes))
  }
  return {
    nodes,
    async close() {
      await Promise.all(nodes.map(({ process }) => process.kill()))
      await Promise.all(links.map((link) => link.close()))
    },
  }
}

function createLimpNode(
  folder: string,
  i: number,
  address: string,
  { http, ws, p2p }: Ports,
  more: readonly string[] = [],
): LimpNode {
  const data = nodeFolder(folder, i)
  const notes = join(folder, `notes${i}`)
  mkdirSync(notes, { recursive: true })
  const [logFile, clockFile, flawFile] = [join(notes, 'quoin.log'), join(notes, 'clock'), join(notes, 'flaw')]
  const preloads = [clockPreload, flawPreload].map((file) => `--import=${pathToFileURL(file).href}`)
  return {
    process: createNodeProcess({
      name: `node${i}`,
      httpPort: http,
      logFile,
      command: process.execPath,
      args: [
        quoinProgram,
        `--genesis-file=${join(folder, 'genesis.json')}`,
        `--data-path=${data}`,
        '--p2p-interface=127.0.0.1',
        `--p2p-port=${p2p}`,
        '--discovery-enabled=false',
        '--rpc-http-enabled',
        `--rpc-http-port=${http}`,
        '--rpc-ws-enabled',
        `--rpc-ws-port=${ws}`,
        '--min-gas-price=0',
        ...more,
      ],
      env: {
        ...process.env,
        NODE_OPTIONS: preloads.join(' '),
        QUOIN_CHAOS_CLOCK: clockFile,
        QUOIN_LIMP_INVALID: flawFile,
      },
    }),
    address: address.toLowerCase(),
    wsPort: ws,
    logFile,
    links: [],
    setClock: (offset) => writeFileSync(clockFile, String(offset)),
    setFlaw: (flaw) => writeFileSync(flawFile, flaw),
  }
}

function createLimpBesu(
  folder: string,
  i: number,
  address: string,
  { http, ws, p2p }: Ports,
  peersDir: string,
): LimpNode {
  const seat = { name: `besu${i}`, folder: nodeFolder(folder, i), httpPort: http, p2pPort: p2p }
  const besu = createBesuProcess({ seat, peersDir, genesisFile: join(folder, 'genesis.json') })
  const neither = () => {
    throw new Error('that needs a Quoin')
  }
  return {
    process: {
      ...besu,
      start: () => besu.start('--discovery-enabled=false', '--rpc-ws-enabled', `--rpc-ws-port=${ws}`),
    },
    address: address.toLowerCase(),
    wsPort: ws,
    logFile: join(seat.folder, 'besu.log'),
    links: [],
    setClock: neither,
    setFlaw: neither,
  }
}
