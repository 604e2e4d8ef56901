import { resolve } from 'node:path'
import type { Config } from '../cli/options.ts'
import { createDevProducer } from '../consensus/dev/devProducer.ts'
import { createEngine } from '../evm/engine.ts'
import { verifySidecar } from '../evm/kzg/verifySidecar.ts'
import { createIntake } from '../pool/intake.ts'
import { createPool } from '../pool/pool.ts'
import type { PoolHead } from '../pool/ports.ts'
import { restorePool, savePool } from '../pool/saveFile.ts'
import type { Clock } from '../primitives/clock.ts'
import type { Log } from '../primitives/log.ts'
import { createRecoverPool } from '../primitives/recoverPool.ts'
import type { RpcContext, ServicePlace } from '../rpc/context.ts'
import { createFilters } from '../rpc/filters.ts'
import { createSubscriptionKinds } from '../rpc/subscriptionKinds.ts'
import { createSubscriptions } from '../rpc/subscriptions.ts'
import { clientVersion } from './clientVersion.ts'
import { createServers } from './createServers.ts'
import { createCurrentView } from './currentView.ts'
import { createMiningTerms } from './miningTerms.ts'
import { isAuthorityNetwork, loadNetwork, type Network, NetworkError } from './network.ts'
import { loadOrCreateNodeKey } from './nodeKey.ts'
import { openChain } from './openChain.ts'
import { poolHeadOf } from './poolHead.ts'
import { poolOptionsOf } from './poolOptions.ts'
import { startPruning } from './pruning.ts'

/** Milliseconds between looks for filters and transactions that nobody wants any more. */
const sweepEvery = 10_000
/** Milliseconds that reading the saved pool may take. */
const restoreTime = 30_000

/** A node that is up. */
export interface RunningNode {
  readonly version: string
  readonly network: Network
  /** Services that listen, by name. */
  readonly places: ReadonlyMap<string, ServicePlace>
  stop(): Promise<void>
}

/** Builds a node from its options and starts it; when a part cannot start, those before it are stopped again. */
export async function runNode(config: Config, log: Log, clock: Clock): Promise<RunningNode> {
  const stops: (() => unknown)[] = []
  const stop = async () => {
    for (const action of stops.splice(0).reverse()) await action()
  }
  try {
    return await assemble(config, log, clock, stops, stop)
  } catch (error) {
    await stop()
    throw error
  }
}

async function assemble(
  config: Config,
  log: Log,
  clock: Clock,
  stops: (() => unknown)[],
  stop: () => Promise<void>,
): Promise<RunningNode> {
  const network = loadNetwork(config['genesis-file'], config['network-id'])
  const { consensus } = network.spec
  if (config['miner-enabled'] && !network.isDev) throw new NetworkError({ code: 'CANNOT_MINE', engine: consensus.kind })
  if (!network.isDev)
    log.warn({ engine: consensus.kind }, 'this version imports and serves this network, but makes no blocks on it')
  const producing = network.isDev || isAuthorityNetwork(network.spec)
  const dataPath = resolve(config['data-path'])
  const keepRevertReasons = config['revert-reason-enabled']
  const { chain, states, store, close } = await openChain({ dataPath, network, keepRevertReasons, checkWork: true })
  stops.push(close)
  loadOrCreateNodeKey(dataPath, config['node-private-key-file'])
  const current = createCurrentView(chain, clock)
  stops.push(current.close)

  const terms = createMiningTerms(config)
  let head: PoolHead | undefined
  const pool = createPool(poolOptionsOf(config, network.spec), {
    head: () => (head ??= poolHeadOf(current.get())),
    mining: () => ({ enabled: producing, minGasPrice: terms.get().minGasPrice }),
    proves: verifySidecar,
  })
  const recover = createRecoverPool()
  stops.push(recover.close)
  const intake = createIntake({ pool, recover, now: clock.now })
  const saveFile = resolve(dataPath, config['tx-pool-save-file'])
  if (config['tx-pool-enable-save-restore']) stops.push(() => savePool(pool, saveFile))

  const filters = createFilters(clock.now)
  chain.onHead((event) => {
    head = undefined
    const { number } = event.head.header
    log.info({ number: Number(number), txs: event.added.at(-1)?.block.transactions.length ?? 0 }, 'new head')
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
  stops.push(startPruning(chain, store, states, config['history-blocks'], clock))

  const period = config['dev-period']
  const onError = (error: unknown) => log.error({ error: String(error) }, 'no block could be made')
  const producer = network.isDev
    ? createDevProducer({ chain, pool, clock, terms: terms.get, period, onError })
    : undefined

  const version = clientVersion(config.identity)
  const places = new Map<string, ServicePlace>()
  const context: Partial<RpcContext> = {
    get chain() {
      return current.get()
    },
    client: { version, networkId: network.networkId },
    evm: { fast: createEngine('fast'), trace: createEngine('trace') },
    filters,
    limits: {
      maxLogsRange: BigInt(config['rpc-max-logs-range']),
      gasPrice: {
        blocks: config['api-gas-price-blocks'],
        percentile: config['api-gas-price-percentile'],
        max: config['api-gas-price-max'],
      },
    },
    mining: {
      isMining: () => producer?.isRunning() ?? false,
      start: () => {
        producer?.start()
        return producer !== undefined
      },
      stop: () => {
        producer?.stop()
        return producer !== undefined
      },
      coinbase: () => terms.coinbase,
      setCoinbase: terms.setCoinbase,
      minGasPrice: () => terms.get().minGasPrice,
      setMinGasPrice: terms.setMinGasPrice,
      minPriorityFee: () => terms.get().minPriorityFee,
      setMinPriorityFee: terms.setMinPriorityFee,
      setTargetGasLimit: terms.setTargetGasLimit,
    },
    peers: undefined,
    pool: { ...pool, submit: (tx) => intake.submit(tx, true) },
    services: { places: () => places },
    sync: { status: () => undefined },
  }
  const kinds = createSubscriptionKinds({
    chain: current.get,
    onHead: chain.onHead,
    onPool: pool.subscribe,
    onSync: () => () => {},
  })
  const servers = await createServers(
    {
      config,
      context,
      health: { peerCount: () => undefined, blocksBehind: () => undefined },
      openSession: createSubscriptions(kinds),
      onInternalError: (error, method) => log.error({ method, error: stackOf(error) }, 'internal error'),
    },
    places,
  )
  stops.push(() => Promise.all(servers.map((server) => server.close())))

  if (config['tx-pool-enable-save-restore']) {
    const outcome = await restorePool(saveFile, { pool, recover, now: clock.now }, restoreTime)
    if (outcome.restored || outcome.refused) log.info(outcome, 'transaction pool restored')
  }
  producer?.start()
  stops.push(() => producer?.stop())
  return { version, network, places, stop }
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
