import { join } from 'node:path'
import type { Config } from '../../config/options.ts'
import { isLoopback } from '../../net/ip.ts'
import type { WantedPort } from '../../net/nat/createPortMapper.ts'
import { ssdpAddress } from '../../net/nat/searchGateways.ts'
import type { NetworkOptions, UpnpOptions } from '../../net/network.ts'
import { readStaticNodes } from '../../net/readStaticNodes.ts'

/** The options of the peer-to-peer network as the command line gives them; reads the file of static nodes. */
export function networkOptionsOf(config: Config, dataPath: string): NetworkOptions {
  const file = config['static-nodes-file']
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
    bootnodes: config.bootnodes,
    staticNodes: readStaticNodes(file ?? join(dataPath, 'static-nodes.json'), file !== undefined),
    banned: config['banned-node-ids'],
    upnp: upnpOptionsOf(config),
  }
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
