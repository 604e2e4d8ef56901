import { isIP } from 'node:net'
import { join } from 'node:path'
import type { Network } from '../../chainData/network.ts'
import { CliError, failed } from '../../config/fault.ts'
import { bootnode } from '../../config/networkValues.ts'
import type { Config } from '../../config/options.ts'
import { type Enode, formatEnode } from '../../net/enode.ts'
import { NetError } from '../../net/fault.ts'
import { isLoopback } from '../../net/ip.ts'
import type { WantedPort } from '../../net/nat/createPortMapper.ts'
import { ssdpAddress } from '../../net/nat/searchGateways.ts'
import type { NetworkOptions, UpnpOptions } from '../../net/p2pNetwork.ts'
import { readStaticNodes } from '../../net/readStaticNodes.ts'
import type { LookUp } from '../../permissioning/nodeEntry.ts'
import { equalBytes } from '../../primitives/bytes.ts'

/**
 * The options of the peer-to-peer network as the command line gives them; reads the file of static nodes. As in Besu, the genesis file's
 * bootnodes count where `--bootnodes` names none.
 */
export function networkOptionsOf(
  config: Config,
  dataPath: string,
  { bootnodes: inGenesis = [] }: Pick<Network, 'bootnodes'> = {},
): NetworkOptions {
  const file = config['static-nodes-file']
  const path = file ?? join(dataPath, 'static-nodes.json')
  return {
    host: config['p2p-host'],
    interface: config['p2p-interface'],
    port: config['p2p-port'],
    maxPeers: config['max-peers'],
    maxInboundShare: config['remote-connections-limit-enabled']
      ? config['remote-connections-max-percentage'] / 100
      : undefined,
    randomPriority: config['random-peer-priority-enabled'],
    discovery: config['discovery-enabled'],
    bootnodes: config.bootnodes.length > 0 ? config.bootnodes : inGenesis.map(namedInGenesis),
    staticNodes: readStaticNodes(path, file !== undefined, config['Xdns-enabled']),
    banned: config['banned-node-ids'],
    upnp: upnpOptionsOf(config),
  }
}

function namedInGenesis(text: string): Enode {
  try {
    return bootnode.decode(text)
  } catch (error) {
    const reason = error instanceof CliError && error.at.code === 'BAD_VALUE' ? error.at.text : String(error)
    throw failed(`discovery.bootnodes of the genesis file: ${reason}`)
  }
}

/**
 * Replaces the host names of bootnodes and static nodes by their addresses. Throws if a name has none, unless there is a
 * listener: then the node is left out.
 */
export async function resolveNames(
  options: NetworkOptions,
  lookUp: LookUp | undefined,
  onMissing?: (host: string) => void,
): Promise<NetworkOptions> {
  const resolveAll = async (nodes: readonly Enode[]) => {
    const found = await Promise.all(nodes.map((node) => resolveHost(node, lookUp, onMissing)))
    return found.filter((node) => node !== undefined)
  }
  const [bootnodes, staticNodes] = await Promise.all([resolveAll(options.bootnodes), resolveAll(options.staticNodes)])
  return { ...options, bootnodes, staticNodes }
}

async function resolveHost(
  enode: Enode,
  lookUp: LookUp | undefined,
  onMissing: ((host: string) => void) | undefined,
): Promise<Enode | undefined> {
  if (isIP(enode.ip)) return enode
  const ip = await lookUp?.(enode.ip)
  if (ip !== undefined) return { ...enode, ip }
  if (!onMissing)
    throw new NetError({ code: 'MALFORMED_ENODE', text: formatEnode(enode), reason: `'${enode.ip}' has no IP address` })
  onMissing(enode.ip)
  return undefined
}

/** Nodes to look up again: static nodes with names, which may move, and bootnodes that had no address. */
export function nodesToFollow(wanted: NetworkOptions, found: NetworkOptions): readonly Enode[] {
  const isFound = ({ id }: Enode) => found.bootnodes.some((node) => equalBytes(node.id, id))
  return [...wanted.staticNodes, ...wanted.bootnodes.filter((node) => !isFound(node))].filter(({ ip }) => !isIP(ip))
}

/** UPNP also forwards the port of JSON-RPC, unless that listens on loopback only; UPNPP2PONLY does not. */
function upnpOptionsOf(config: Config): UpnpOptions | undefined {
  const method = config['nat-method']
  if (method !== 'UPNP' && method !== 'UPNPP2PONLY') return undefined
  const port = config['rpc-http-port']
  const open = config['rpc-http-enabled'] && port !== 0 && !isLoopback(config['rpc-http-host'])
  const more: readonly WantedPort[] =
    method === 'UPNP' && open ? [{ transport: 'TCP', port, name: 'Quoin JSON-RPC' }] : []
  return { searchAddress: ssdpAddress, more }
}
