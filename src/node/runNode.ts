import { resolve } from 'node:path'
import type { Config } from '../config/options.ts'
import { createProducer } from '../consensus/createProducer.ts'
import { createValidatorKey } from '../consensus/validatorKey.ts'
import { createVotes } from '../consensus/voting/votes.ts'
import { createEvm } from '../evm/evm.ts'
import type { Clock } from '../primitives/clock.ts'
import type { Loggers } from '../primitives/logger.ts'
import { createFilters } from '../rpc/events/filters.ts'
import { createSubscriptionKinds } from '../rpc/events/subscriptionKinds.ts'
import { createSubscriptions } from '../rpc/events/subscriptions.ts'
import type { RpcContext, ServicePlace } from '../rpc/protocol/context.ts'
import type { SyncStatus } from '../sync/syncStatus.ts'
import { clientVersion } from './clientVersion.ts'
import { createP2p, type P2p } from './createP2p.ts'
import { createPooling } from './createPooling.ts'
import { createServers } from './createServers.ts'
import { createNodeMetrics } from './metrics/createNodeMetrics.ts'
import { timedChain } from './metrics/timedChain.ts'
import { isAuthorityNetwork, loadNetwork, type Network, NetworkError } from './network.ts'
import { networkOptionsOf } from './networkOptions.ts'
import { loadOrCreateNodeKey } from './nodeKey.ts'
import { openChain } from './openChain.ts'
import { authorityPorts } from './ports/authorityPorts.ts'
import { createCurrentView } from './ports/currentView.ts'
import { createLogsPort } from './ports/loggingPort.ts'
import { miningPortOf } from './ports/miningPort.ts'
import { createMiningSettings } from './ports/miningSettings.ts'
import { createOperatorPorts } from './ports/operatorPorts.ts'
import { startPruning } from './ports/pruning.ts'
import { createTraceFolder } from './ports/traceFolder.ts'
import { createValidatorLinks } from './ports/validatorLinks.ts'

/** Milliseconds between looks for filters and transactions that nobody wants any more. */
const sweepEvery = 10_000
/** Bytes of files that may be resident: a node shares its machine with others. */
const maxMapped = 64 << 20

/** A node that is up. */
export interface RunningNode {
  readonly version: string
  readonly network: Network
  /** Services that listen, by name. */
  readonly places: ReadonlyMap<string, ServicePlace>
  stop(): Promise<void>
}

/** Builds a node from its options and starts it; when a part cannot start, those before it are stopped again. */
export async function runNode(config: Config, loggers: Loggers, clock: Clock): Promise<RunningNode> {
  const stops: (() => unknown)[] = []
  const stop = async () => {
    for (const action of stops.splice(0).reverse()) await action()
  }
  try {
    return await assemble(config, loggers, clock, stops, stop)
  } catch (error) {
    await stop()
    throw error
  }
}

async function assemble(
  config: Config,
  loggers: Loggers,
  clock: Clock,
  stops: (() => unknown)[],
  stop: () => Promise<void>,
): Promise<RunningNode> {
  const log = loggers.child('node')
  const network = loadNetwork(config['genesis-file'], config['network-id'])
  const { spec, isDev } = network
  const producing = isDev || isAuthorityNetwork(spec)
  if (config['miner-enabled'] && !producing)
    throw new NetworkError({ code: 'CANNOT_MINE', engine: spec.consensus.kind })
  if (!producing) log.warn({ engine: spec.consensus.kind }, 'blocks of this network are imported and served, not made')
  const version = clientVersion(config.identity)

  const dataPath = resolve(config['data-path'])
  const keepRevertReasons = config['revert-reason-enabled']
  const indexLogs = config['auto-log-bloom-caching-enabled']
  const opened = await openChain({ dataPath, network, keepRevertReasons, indexLogs, checkWork: true, maxMapped })
  const { states, store, consensus } = opened
  stops.push(opened.close)
  const measured = createNodeMetrics(config, clock, log)
  stops.push(measured.stop)
  const chain = timedChain(opened.chain, measured.metrics)
  const key = loadOrCreateNodeKey(dataPath, config['node-private-key-file'])
  const current = createCurrentView(chain, clock)
  stops.push(current.close)

  const settings = createMiningSettings(config)
  const pooling = createPooling(config, { chain, dataPath, settings, producing, clock, log })
  stops.push(pooling.stop)
  const { pool, intake, recover } = pooling

  let p2p: P2p | undefined
  const filters = createFilters(clock.now)
  chain.onHead((event) => {
    const { number } = event.head.header
    // While the node catches up, synchronisation tells how far it is.
    const level = p2p?.sync.status() ? 'debug' : 'info'
    log[level]({ number: Number(number), txs: event.added.at(-1)?.block.transactions.length ?? 0 }, 'new head')
    pooling.forgetHead()
    pool.onHead({
      added: event.added.flatMap(({ block }) => block.transactions),
      removed: event.removed.flatMap(({ block }) => block.transactions),
      now: clock.now(),
    })
    filters.onHead(event)
  })
  pool.subscribe((event) => {
    if (event.type === 'added') filters.onPending(event.entry.hash)
  })
  stops.push(
    every(clock, sweepEvery, () => {
      filters.sweep(clock.now())
      pool.expire(clock.now())
    }),
  )
  const historyBlocks = config['history-blocks']
  stops.push(startPruning(chain, store, states, historyBlocks, clock))
  const operator = createOperatorPorts({ chain, store, states, consensus, historyBlocks, indexLogs, clock, log })
  stops.push(operator.stop)

  // The producer talks through the network, which offers the producer's protocols: the network comes after it.
  const links = createValidatorLinks()
  const votes = createVotes()
  const producer = createProducer(spec, {
    chain,
    consensus: consensus,
    store,
    pool,
    clock,
    log: loggers.child('consensus'),
    network: {
      send: links.send,
      broadcastBlock: (block) => p2p?.broadcastBlock(block),
      raiseHeight: (address, number) => p2p?.raiseHeight(address, number),
      isInSync: () => p2p?.sync.isInSync() ?? true,
    },
    key: createValidatorKey(key),
    votes,
    settings: settings.get,
    random: Math.random,
    devPeriod: isDev ? config['dev-period'] : undefined,
  })
  if (config['p2p-enabled'])
    p2p = createP2p(networkOptionsOf(config, dataPath), {
      chain,
      consensus,
      networkId: network.networkId,
      pool,
      intake,
      recover,
      key,
      clientId: version,
      allow: { isAllowed: () => true, onChange: () => () => {} },
      protocols: producer ? links.protocolsOf(producer) : [],
      clock,
      log: loggers,
    })

  const sync = { status: () => p2p?.sync.status() }
  const places = new Map<string, ServicePlace>()
  const context: Partial<RpcContext> = {
    ...authorityPorts(spec, consensus, votes),
    ...operator.ports,
    get chain() {
      return current.get()
    },
    client: { version, networkId: network.networkId },
    evm: {
      fast: createEvm('fast'),
      trace: createEvm('trace'),
      beneficiaryOf: consensus.beneficiary,
      rewardOf: consensus.reward,
    },
    filters,
    limits: {
      maxLogsRange: BigInt(config['rpc-max-logs-range']),
      maxTraceRange: BigInt(config['rpc-max-trace-filter-range']),
      gasPrice: {
        blocks: config['api-gas-price-blocks'],
        percentile: config['api-gas-price-percentile'],
        max: config['api-gas-price-max'],
      },
    },
    logging: createLogsPort(loggers),
    metrics: measured.port,
    mining: miningPortOf(producer, settings, isDev),
    peers: p2p?.peers,
    pool: { ...pool, submit: (tx) => intake.submit(tx, true) },
    services: { places: () => places },
    sync,
    traces: createTraceFolder(dataPath, clock),
  }
  const kinds = createSubscriptionKinds({
    chain: current.get,
    onHead: chain.onHead,
    onPool: pool.subscribe,
    onSync: p2p?.sync.onStatus ?? (() => () => {}),
  })
  const servers = await createServers(
    {
      config,
      context,
      health: { peerCount: () => p2p?.peers.count(), blocksBehind: () => behind(sync.status()) },
      openSession: createSubscriptions(kinds),
      onInternalError: (error, method) => log.error({ method, error: stackOf(error) }, 'internal error'),
      onCall: measured.onCall,
      hold: current.hold,
    },
    places,
  )
  stops.push(() => Promise.all(servers.map((server) => server.close())))

  const metricsServer = await measured.start({ view: current.get, chain, pool, peers: p2p?.peers, sync })
  if (metricsServer) places.set('metrics', { host: metricsServer.host, port: metricsServer.port })

  await pooling.restore()
  if (p2p) {
    stops.push(p2p.stop)
    await p2p.start()
    places.set('p2p', p2p.place())
  }
  producer?.start()
  stops.push(() => producer?.stop())
  return { version, network, places, stop }
}

/** Blocks that the head is behind the best known one; undefined when the node is in sync. */
function behind(status: SyncStatus | undefined): bigint | undefined {
  return status && status.highestBlock - status.currentBlock
}

function stackOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}

function every(clock: Clock, milliseconds: number, action: () => void): () => void {
  let cancel = clock.after(milliseconds, again)
  function again(): void {
    cancel = clock.after(milliseconds, again)
    action()
  }
  return () => cancel()
}
