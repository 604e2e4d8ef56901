import type { Network } from '../chainData/network.ts'
import type { Config } from '../config/options.ts'
import { createStartStages } from '../reporting/startStages.ts'
import type { ServicePlace } from '../rpc/protocol/context.ts'
import type { Clock } from '../system/clock.ts'
import type { Loggers } from '../system/logger.ts'
import { connectParts } from './connectParts.ts'
import { createRpcPorts } from './createRpcPorts.ts'
import { openParts } from './openParts.ts'
import { writePidFile } from './pidFile.ts'
import { reportStart } from './reportStart.ts'
import { createAccess } from './serving/createAccess.ts'
import { type ServerThreads, startServerThread } from './serving/serverThread.ts'
import { startParts } from './startParts.ts'
import { createStopList } from './stopList.ts'

/** A node that is running. */
export interface RunningNode {
  readonly version: string
  readonly network: Network
  /** The services that listen, by name. */
  readonly places: ReadonlyMap<string, ServicePlace>
  stop(): Promise<void>
}

/**
 * Builds a node from its options and starts it. If a part cannot start, the parts before it are stopped. A caller that has something to do
 * before gives the thread of the servers, which starts meanwhile.
 */
export async function runNode(
  config: Config,
  loggers: Loggers,
  clock: Clock,
  threads: ServerThreads | undefined = startServerThread(config),
): Promise<RunningNode> {
  const stops = createStopList()
  const stages = createStartStages(clock, loggers.child('node'))
  if (threads) stops.add(threads.end)
  try {
    stages.enter('reading keys and certificates')
    const access = await createAccess(config)
    stops.add(access.close)
    if (config['pid-path'] !== undefined) stops.add(writePidFile(config['pid-path']))
    const parts = await openParts(config, loggers, clock, stops, stages)
    stages.enter('starting the services')
    const node = connectParts(parts, stops)
    const places = new Map<string, ServicePlace>()
    await startParts(node, createRpcPorts(node, places), places, { access, threads }, stops)
    reportStart(node, places)
    return { version: node.version, network: node.network, places, stop: stops.stopAll }
  } catch (error) {
    // Whatever fails now, the operator needs to know why the node could not start.
    await stops.stopAll().catch((failure) => loggers.child('node').error({ error: String(failure) }, 'stopping failed'))
    throw error
  } finally {
    stages.end()
  }
}
