import type { ServicePlace } from '../rpc/protocol/context.ts'
import type { ConnectedNode } from './connectParts.ts'
import type { NodePorts } from './createRpcPorts.ts'
import { followNodeNames } from './followNodeNames.ts'
import type { ServerAccess } from './serving/createAccess.ts'
import { serveHere } from './serving/serveHere.ts'
import { serveInThread } from './serving/serveInThread.ts'
import type { ServerThreads } from './serving/serverThread.ts'
import type { StopList } from './stopList.ts'

/** Starts servers, metrics, network and producer, in this order; adds where each service listens to `places`. */
export async function startParts(
  node: ConnectedNode,
  ports: NodePorts,
  places: Map<string, ServicePlace>,
  { access, threads }: { readonly access: ServerAccess; readonly threads: ServerThreads | undefined },
  stops: StopList,
): Promise<void> {
  const { chain, current, metrics, pooling, p2p, peerNetwork, producer } = node
  const { pool } = pooling
  const serving = threads
    ? await serveInThread(node, ports, threads, stops)
    : await serveHere(node, ports, access, stops)
  for (const [service, place] of serving.places) places.set(service, place)
  metrics.measureReaders(serving.readers)

  stops.add(metrics.stop)
  const metricsServer = await metrics.start({
    view: current.get,
    chain,
    pool,
    peers: p2p?.peers,
    maxPeers: node.config['max-peers'],
    mining: ports.mining,
    version: node.version,
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
  node.state.start()
  stops.add(node.state.stop)
  producer?.start()
  stops.add(() => producer?.stop())
}
