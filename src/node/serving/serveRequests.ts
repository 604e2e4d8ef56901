import type { Config } from '../../config/options.ts'
import type { ReaderLoss, ReaderPool } from '../../readers/createReaders.ts'
import { createFilters } from '../../rpc/events/filters.ts'
import { createSubscriptionKinds } from '../../rpc/events/subscriptionKinds.ts'
import { createSubscriptions } from '../../rpc/events/subscriptions.ts'
import type { ChainCalls } from '../../rpc/protocol/chainCalls.ts'
import type { ServicePlace } from '../../rpc/protocol/context.ts'
import type { CallMeter } from '../../rpc/protocol/dispatcher.ts'
import type { HealthPort } from '../../rpc/server/health.ts'
import type { Clock } from '../../system/clock.ts'
import type { Logger } from '../../system/logger.ts'
import { createTurns } from '../../system/turns.ts'
import type { CurrentView } from '../ports/currentView.ts'
import { createNodeReaders } from '../readers/createNodeReaders.ts'
import type { ReaderSettings } from '../readers/readerSettings.ts'
import type { StopList } from '../stopList.ts'
import type { ServerAccess } from './createAccess.ts'
import { createServers } from './createServers.ts'
import type { NodeFeeds } from './feeds.ts'
import type { QueryPorts, ServerPorts } from './graphqlPorts.ts'

/** What the servers need of the node: it may be in the same thread, or in another one. */
export interface ServingParts {
  readonly config: Config
  readonly settings: ReaderSettings
  readonly clock: Clock
  readonly log: Logger
  /** Takes what contracts of the development network print. */
  readonly contractLog: Logger
  readonly current: CurrentView
  readonly feeds: NodeFeeds
  /** What methods need that run here. */
  readonly ports: ServerPorts
  /** Runs the other methods; undefined if all run here. */
  readonly chainCalls: ChainCalls | undefined
  readonly queries: QueryPorts
  readonly health: HealthPort
  readonly access: ServerAccess
  readonly onCall: CallMeter | undefined
  readonly onReaderLost: (loss: ReaderLoss) => void
}

/** Servers that listen. */
export interface Serving {
  readonly places: ReadonlyMap<string, ServicePlace>
  /** Undefined where the servers answer all calls themselves. */
  readonly readers: Pick<ReaderPool, 'counts'> | undefined
}

/** Milliseconds between two looks for filters that have expired. */
const sweepInterval = 10_000

/** Starts the servers of JSON-RPC, GraphQL and the explorer, with their filters, subscriptions and readers. */
export async function serveRequests(parts: ServingParts, stops: StopList): Promise<Serving> {
  const { config, settings, clock, log, contractLog, current, feeds, chainCalls, queries, health, access, onCall } =
    parts
  const filters = createFilters(clock.now, {
    lifetime: config['rpc-filter-timeout-seconds'] * 1000,
    maxFilters: config['rpc-max-active-filters'],
  })
  stops.add(feeds.onHead(filters.onHead))
  stops.add(feeds.onPending(filters.onPending))
  stops.add(sweeping(filters.sweep, clock))
  const kinds = createSubscriptionKinds({ chain: current.get, ...feeds })
  const readers = createNodeReaders(
    { config, settings, clock, log, contractLog, onHead: feeds.onHead, onLost: parts.onReaderLost },
    stops,
  )
  const places = new Map<string, ServicePlace>()
  const servers = await createServers(
    {
      ...{ config, chainCalls, queries, health, onCall, readers, log, clock },
      dataPath: settings.dataPath,
      ports: { ...parts.ports, filters },
      serverAccess: access,
      openSession: createSubscriptions(kinds, config['rpc-ws-max-active-subscriptions']),
      onInternalError: logInternalErrors(log),
      hold: current.hold,
      turns: createTurns(),
    },
    places,
  )
  stops.add(() => Promise.all(servers.map((server) => server.close())))
  return { places, readers }
}

function sweeping(sweep: (now: number) => void, clock: Clock): () => void {
  let cancel = clock.after(sweepInterval, run)
  function run(): void {
    cancel = clock.after(sweepInterval, run)
    sweep(clock.now())
  }
  return () => cancel()
}

/** Writes errors that no client caused to the log. */
export function logInternalErrors(log: Logger): (error: unknown, method: string) => void {
  return (error, method) => {
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error)
    log.error({ method, error: text }, 'internal error')
  }
}
