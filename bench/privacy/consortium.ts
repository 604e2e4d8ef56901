import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { nodeFolder, openNetworkPlan, portsOf } from '../../src/cli/network/networkPlan.ts'
import { packageRoot } from '../../src/primitives/packageRoot.ts'
import { defaultKeyFile, publicKeyFileOf } from '../../src/privacyManager/keys.ts'
import { createNodeProcess, type NodeProcess } from '../../test/interop/nodeProcess.ts'
import { withTesseras } from '../../test/interop/tesseras.ts'
import { createClient, until } from '../rpc/client.ts'

/** A node and the key of its private transaction manager, in base64. */
export interface Member {
  readonly url: string
  readonly key: string
}

/** A network that runs. */
export interface Consortium {
  readonly members: readonly Member[]
  /** The processes of nodes and managers. */
  readonly pids: readonly number[]
}

/** Where a network lives. */
export interface Place {
  readonly folder: string
  readonly basePort: number
  readonly peersDir: string
  /** Nodes, each of them a validator. */
  readonly validators: number
}

/** Seconds that a network may take to start. */
const patience = 180

/** Options of one of the nodes beside the common ones. */
type More = (node: number) => readonly string[]

const dirOf = ({ folder }: Place) => join(folder, 'network')

/** Validators with blocks each second, the options of which Besu and Quoin both know. */
function createNodes(place: Place, command: string, first: readonly string[], more: More) {
  const dir = dirOf(place)
  const { basePort, validators } = place
  const plan = openNetworkPlan(dir, { validators, consensus: 'qbft', period: 1, basePort, fork: 'london' })
  const enodes = plan.nodes.map(({ enode }) => enode).join()
  return plan.nodes.map((_, i): NodeProcess => {
    const { http, p2p } = portsOf(plan, i)
    const data = nodeFolder(dir, i)
    return createNodeProcess({
      name: `node${i}`,
      httpPort: http,
      logFile: join(data, 'node.log'),
      command,
      env: { BESU_OPTS: '-Xmx640m', ...process.env },
      args: [
        ...first,
        ...[`--genesis-file=${join(dir, 'genesis.json')}`, `--data-path=${data}`, '--min-gas-price=0'],
        ...['--p2p-host=127.0.0.1', '--p2p-interface=127.0.0.1', `--p2p-port=${p2p}`, `--bootnodes=${enodes}`],
        ...['--rpc-http-enabled', `--rpc-http-port=${http}`, '--rpc-http-api=ETH,NET,EEA,PRIV', '--privacy-enabled'],
        ...['--sync-mode=FULL', '--nat-method=NONE'],
        // Markers of one account stay in order, and with them the nonces of private transactions.
        `--privacy-marker-transaction-signing-key-file=${join(data, 'key')}`,
        // That account has all markers of a node, however many wait for a block.
        '--tx-pool-max-future-by-sender=100000',
        ...more(i),
      ],
    })
  })
}

const urlOf = ({ basePort }: Place, node: number) => `http://127.0.0.1:${portsOf({ basePort }, node).http}`

const pidsOf = (nodes: readonly NodeProcess[]) => nodes.flatMap((node) => node.pid() ?? [])

async function withNodes(nodes: readonly NodeProcess[], action: () => Promise<void>): Promise<void> {
  try {
    for (const node of nodes) node.start()
    await action()
  } finally {
    await Promise.all(nodes.map((node) => node.stop()))
  }
}

async function untilBlocks(place: Place): Promise<void> {
  for (let i = 0; i < place.validators; i++) {
    const { call } = createClient(urlOf(place, i))
    await until(async () => Number(await call<string>('eth_blockNumber').catch(() => '0x0')) > 2, patience)
  }
}

/** Port at which the manager inside of a node serves others. */
const managerPort = (place: Place, node: number) => place.basePort + 8 + 10 * node

/** Does something with Quoins, each with the manager inside. */
export async function withQuoins(place: Place, action: (network: Consortium) => Promise<void>): Promise<void> {
  const peers = Array.from({ length: place.validators }, (_, i) => `http://127.0.0.1:${managerPort(place, i)}/`)
  const program = join(packageRoot, 'dist/src/cli/main.js')
  const nodes = createNodes(place, process.execPath, [program], (i) => [
    `--privacy-manager-peer-port=${managerPort(place, i)}`,
    `--privacy-manager-peers=${peers.filter((_, other) => other !== i).join()}`,
  ])
  await withNodes(nodes, async () => {
    await untilBlocks(place)
    const members = nodes.map((_, i) => {
      const keyFile = defaultKeyFile(nodeFolder(dirOf(place), i))
      return { url: urlOf(place, i), key: readFileSync(publicKeyFileOf(keyFile), 'utf8').trim() }
    })
    await untilConnected(members)
    await action({ members, pids: pidsOf(nodes) })
  })
}

/** Managers find each other in their own time. */
async function untilConnected(members: readonly Member[]): Promise<void> {
  const keys = members.map(({ key }) => key)
  for (const { url } of members) {
    const { call } = createClient(url)
    await until(
      () =>
        call<string>('priv_createPrivacyGroup', { addresses: keys, name: 'all', description: '' }).catch(() => null),
      patience,
    )
  }
}

/** Does something with Besus, each with a Tessera. */
export async function withBesus(place: Place, action: (network: Consortium) => Promise<void>): Promise<void> {
  const { peersDir, folder, basePort, validators } = place
  await withTesseras(peersDir, join(folder, 'tesseras'), validators, basePort + 50, async (tesseras) => {
    const nodes = createNodes(place, join(peersDir, 'besu/besu'), [], (i) => [
      `--privacy-url=${tesseras[i]!.nodeUrl}`,
      `--privacy-public-key-file=${join(folder, 'tesseras', `node${i + 1}`, 'key.pub')}`,
      // On a slow machine the first markers take longer than the 75 % of a period that is usual, and would be dropped.
      '--poa-block-txs-selection-max-time=1000',
    ])
    await withNodes(nodes, async () => {
      await untilBlocks(place)
      const managers = tesseras.map((_, i) =>
        Number(readFileSync(join(folder, 'tesseras', `node${i + 1}`, 'pid'), 'utf8')),
      )
      const members = tesseras.map(({ key }, i) => ({ url: urlOf(place, i), key }))
      await action({ members, pids: [...pidsOf(nodes), ...managers] })
    })
  })
}
