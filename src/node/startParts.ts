import type { SpareThread } from '../http/thread/spareThread.ts'
import type { Logger } from '../primitives/logger.ts'
import { createTurns } from '../primitives/turns.ts'
import { createSubscriptionKinds } from '../rpc/events/subscriptionKinds.ts'
import { createSubscriptions } from '../rpc/events/subscriptions.ts'
import type { ServicePlace } from '../rpc/protocol/context.ts'
import type { ConnectedNode } from './connectParts.ts'
import type { ServerAccess } from './createAccess.ts'
import type { NodePorts } from './createRpcPorts.ts'
import { createServers } from './createServers.ts'
import { followNodeNames } from './followNodeNames.ts'
import { createHealthPort } from './ports/healthPort.ts'
import { createNodeReaders } from './readers/createNodeReaders.ts'
import type { StopList } from './stopList.ts'

/** Starts servers, metrics, network and producer, in this order; adds where each service listens to `places`. */
export async function startParts(
  node: ConnectedNode,
  ports: NodePorts,
  places: Map<string, ServicePlace>,
  { access, httpThread }: { readonly access: ServerAccess; readonly httpThread: SpareThread | undefined },
  stops: StopList,
): Promise<void> {
  const { config, chain, current, metrics, pooling, p2p, peerNetwork, producer, log } = node
  const { pool } = pooling
  const kinds = createSubscriptionKinds({
    chain: current.get,
    onHead: chain.onHead,
    onPool: pool.subscribe,
    onSync: peerNetwork.sync.onStatus,
  })
  const readers = createNodeReaders(node, stops)
  const servers = await createServers(
    {
      config,
      ports,
      serverAccess: access,
      health: createHealthPort(p2p?.peers, peerNetwork.sync),
      openSession: createSubscriptions(kinds),
      onInternalError: logInternalErrors(log),
      onCall: metrics.onCall,
      hold: current.hold,
      turns: createTurns(),
      readers,
      httpThread,
      log,
    },
    places,
  )
  stops.add(() => Promise.all(servers.map((server) => server.close())))

  stops.add(metrics.stop)
  const metricsServer = await metrics.start({
    view: current.get,
    chain,
    pool,
    peers: p2p?.peers,
    sync: peerNetwork.sync,
  })
  if (metricsServer) places.set('metrics', { host: metricsServer.host, port: metricsServer.port })

  await pooling.restore()
  node.privacy?.start()
  if (p2p) {
    await p2p.start()
    places.set('p2p', p2p.place())
    const { lookUp, followed, clock, loggers } = node
    if (lookUp && followed.length > 0)
      stops.add(followNodeNames(followed, { lookUp, clock, log: loggers.child('p2p'), add: p2p.peers.add }))
  }
  // Before the producer, which would be at the next block already when a block has come.
  node.watch.start()
  stops.add(node.watch.stop)
  producer?.start()
  stops.add(() => producer?.stop())
}

function logInternalErrors(log: Logger): (error: unknown, method: string) => void {
  return (error, method) => {
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error)
    log.error({ method, error: text }, 'internal error')
  }
}
