import { join } from 'node:path'
import type { Config } from '../cli/options.ts'
import type { NetworkOptions } from '../net/network.ts'
import { readStaticNodes } from '../net/readStaticNodes.ts'

/** The network's options as the command line gives them; reads the file of static nodes. */
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
  }
}
