import type { ConnectedNode } from '../connectParts.ts'
import type { NodePorts } from '../createRpcPorts.ts'
import { createHealthPort } from '../ports/healthPort.ts'
import { readerSettingsOf } from '../readers/readerSettings.ts'
import type { StopList } from '../stopList.ts'
import type { ServerAccess } from './createAccess.ts'
import { poolFeeds } from './poolFeeds.ts'
import { type Serving, serveRequests } from './serveRequests.ts'

/** Serves requests in the thread of the chain: on the development network, and where `--rpc-servers` is 0. */
export function serveHere(
  node: ConnectedNode,
  ports: NodePorts,
  access: ServerAccess,
  stops: StopList,
): Promise<Serving> {
  const { config, clock, log, chain, current, pooling, p2p, peerNetwork, store, metrics, state } = node
  const { sync } = peerNetwork
  return serveRequests(
    {
      ...{ config, clock, log, current, ports, access },
      settings: readerSettingsOf(config, node.dataPath),
      contractLog: node.loggers.child('console'),
      feeds: { onHead: chain.onHead, onSync: sync.onStatus, ...poolFeeds(pooling.pool) },
      chainCalls: undefined,
      queries: { pool: ports.pool, minGasPrice: ports.mining.minGasPrice, syncStatus: sync.status },
      health: createHealthPort(p2p?.peers, sync, state),
      onCall: metrics.onCall,
      onReaderLost() {
        metrics.onReaderLost()
        store.forgetDeadReaders()
      },
    },
    stops,
  )
}
