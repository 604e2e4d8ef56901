import { resolve } from 'node:path'
import type { HashedHeader } from '../chain/view.ts'
import { chainOptionsOf } from '../chainData/chainOptions.ts'
import { devChainOf } from '../chainData/devChain.ts'
import { NetworkError } from '../chainData/fault.ts'
import { loadNetwork, type Network, producesBlocks } from '../chainData/network.ts'
import { type OpenChain, openChain } from '../chainData/openChain.ts'
import { clientVersion } from '../config/clientVersion.ts'
import type { Config } from '../config/options.ts'
import { createConsoleTracer } from '../dev/consoleLog.ts'
import type { Tracer } from '../evm/tracer.ts'
import { unclearRules } from '../forks/unclearRules.ts'
import { unknownKeys } from '../forks/unknownKeys.ts'
import type { NodeKey } from '../keys/nodeIdentity.ts'
import { type TimedChain, timedChain } from '../metrics/timedChain.ts'
import { refuseForeignData } from '../migration/foreignData.ts'
import type { Enode } from '../net/enode.ts'
import type { NetworkOptions } from '../net/p2pNetwork.ts'
import { permissionOf } from '../permissioning/contracts/accountsContract.ts'
import type { LookUp } from '../permissioning/nodeEntry.ts'
import type { PluginRules } from '../plugins/pluginRules.ts'
import type { StartStages } from '../reporting/startStages.ts'
import type { Clock } from '../system/clock.ts'
import type { Logger, Loggers } from '../system/logger.ts'
import { accountsContractOf, createContractRules } from './createContractRules.ts'
import { createNodeMetrics, type NodeMetrics } from './createNodeMetrics.ts'
import { createPermissions, type Permissions } from './createPermissions.ts'
import { createPooling, type Pooling } from './createPooling.ts'
import { lookUpHost } from './lookUpHost.ts'
import { type NodeManager, prepareManager } from './nodeManager.ts'
import { openNodeKey } from './openNodeKey.ts'
import { openPlugin } from './openPlugin.ts'
import { withAdvertised } from './options/advertised.ts'
import { checkTrustedSetup } from './options/checkTrustedSetup.ts'
import { networkOptionsOf, nodesToFollow, resolveNames } from './options/networkOptions.ts'
import { type CurrentView, createCurrentView } from './ports/currentView.ts'
import { createMiningSettings, type MiningSettingsHolder } from './ports/miningSettings.ts'
import type { StopList } from './stopList.ts'

/** Bytes of the database that may be resident: a node shares its machine with others. */
const maxMapped = 64 << 20

/** The parts that do not know each other: configuration, chain, key, pool. */
export interface NodeParts extends Pick<OpenChain, 'store' | 'states' | 'consensus' | 'edits'> {
  readonly config: Config
  readonly loggers: Loggers
  /** The log of the node itself. */
  readonly log: Logger
  readonly clock: Clock
  readonly network: Network
  /** Name, version and platform, as peers and clients see them. */
  readonly version: string
  readonly dataPath: string
  /** The key of the node. */
  readonly key: NodeKey
  /** The private transaction manager; undefined where private transactions are disabled. */
  readonly manager: NodeManager | undefined
  /** Undefined where the operator names none. */
  readonly plugin: PluginRules | undefined
  readonly chain: TimedChain
  readonly current: CurrentView
  readonly metrics: NodeMetrics
  readonly settings: MiningSettingsHolder
  /** Finds addresses of host names; undefined where names in enode URLs are not enabled. */
  readonly lookUp: LookUp | undefined
  readonly networkOptions: NetworkOptions
  /** Nodes whose host names are looked up again and again. */
  readonly followed: readonly Enode[]
  readonly permissions: Permissions
  readonly pooling: Pooling
  /** Logs what contracts print; undefined on other networks than the development network. */
  readonly consoleTracer: Tracer | undefined
}

/** Reads the genesis file and the key, opens the data directory, and creates the pool. */
export async function openParts(
  config: Config,
  loggers: Loggers,
  clock: Clock,
  stops: StopList,
  stages: Pick<StartStages, 'enter'>,
): Promise<NodeParts> {
  const log = loggers.child('node')
  stages.enter('reading the genesis file')
  const network = loadNetwork(config['genesis-file'], config['network-id'], devChainOf(config))
  warnOfGenesis(network, log)
  const producing = checkProduction(config, network, log)
  if (config['kzg-trusted-setup'] !== undefined) checkTrustedSetup(config['kzg-trusted-setup'])
  const contractLog = loggers.child('console')
  const consoleTracer = network.isDev ? createConsoleTracer((text) => contractLog.info({}, text)) : undefined
  const dataPath = resolve(config['data-path'])
  refuseForeignData(dataPath, config['genesis-file'])
  const version = clientVersion(config.identity)
  log.info({ version, network: network.name, networkId: Number(network.networkId), dataPath }, 'starting {version}')
  stages.enter('looking up the names of other nodes')
  const { lookUp, networkOptions, followed } = await findNodes(config, dataPath, network, log)
  stages.enter('reading the key')
  const ownKey = await openNodeKey(config, dataPath, loggers, stops)
  const openManager = await prepareManager(config, dataPath, { log: loggers.child('privacy'), clock })
  const permissionLog = loggers.child('permissions')
  const accounts = accountsContractOf(config, permissionLog)
  stages.enter('opening the database')
  const { chain: untimed, ...opened } = await openChain({
    dataPath,
    network,
    ...chainOptionsOf(config),
    maxMapped,
    tracer: consoleTracer,
    permits: accounts && permissionOf(accounts),
  })
  stops.add(opened.close)
  const { consensus } = opened
  checkHistory(config['history-blocks'], consensus, untimed.head())
  const metrics = createNodeMetrics(config, { clock, log, version })
  const chain = timedChain(untimed, metrics.metrics)
  const key = typeof ownKey === 'function' ? await ownKey() : ownKey
  if (openManager) stages.enter('starting the private transaction manager')
  const manager = await openManager?.()
  if (manager) stops.add(manager.close)
  const current = createCurrentView(chain, clock)
  stops.add(current.close)
  const settings = createMiningSettings(config)
  if (config.plugin !== undefined) stages.enter('loading the plugin')
  const plugin = await openPlugin(config, { ownId: key.publicKey, clock, log: loggers.child('plugin') }, stops)
  stages.enter('reading the allowlists and asking the permissioning contracts')
  const permissions = await createPermissions(config, {
    ...{ dataPath, lookUp, clock, log: permissionLog },
    ownId: key.publicKey,
    pluginPeers: plugin?.peers,
    network: networkOptions,
    contracts: createContractRules(config, { ...{ chain, current, accounts, consensus }, log: permissionLog }),
  })
  stops.add(permissions.stop)
  const pooling = createPooling(config, {
    ...{ chain, dataPath, settings, permissions, producing, clock, log },
    screen: plugin?.screen,
  })
  stops.add(pooling.stop)
  return {
    ...{ config, loggers, log, clock, network, version, dataPath, key, manager, plugin },
    ...opened,
    ...{ chain, current, metrics, settings, lookUp, networkOptions, followed, permissions, pooling, consoleTracer },
  }
}

/** Finds the addresses of the nodes that options and files name. */
async function findNodes(
  config: Config,
  dataPath: string,
  network: Network,
  log: Logger,
): Promise<Pick<NodeParts, 'lookUp' | 'networkOptions' | 'followed'>> {
  const lookUp = config['Xdns-enabled'] ? lookUpHost : undefined
  const wanted = networkOptionsOf(config, dataPath, network)
  const follows = config['Xdns-update-enabled']
  const onMissing = (host: string) => log.warn({ host }, '{host} has no address yet; it is looked up again and again')
  const named = await resolveNames(wanted, lookUp, follows ? onMissing : undefined)
  const followed = follows ? nodesToFollow(wanted, named) : []
  return { lookUp, followed, networkOptions: await withAdvertised(named, config, lookUpHost, log) }
}

/** Blocks whose states are kept where a heavier branch may replace them: as many as Besu requires of a node with Bonsai. */
const minHistory = 512

/** Refuses to keep too few states where blocks are not final; a network that begins as Clique needs them until it is past that. */
function checkHistory(have: number, { isFinal }: NodeParts['consensus'], { header }: HashedHeader): void {
  if (have === 0 || have >= minHistory || isFinal?.(header)) return
  throw new NetworkError({ code: 'HISTORY_TOO_SHORT', have, min: minHistory })
}

/** Returns whether nodes of the network make blocks; refuses the option to make them where they do not. */
function checkProduction(config: Config, network: Network, log: Logger): boolean {
  if (producesBlocks(network)) return true
  const engine = network.spec.consensus.kind
  if (config['miner-enabled']) throw new NetworkError({ code: 'CANNOT_MINE', engine })
  log.warn({ engine }, 'this node imports and serves the blocks of this network, but does not make any')
  return false
}

function warnOfGenesis({ name, spec, isDev }: Network, log: Logger): void {
  if (!isDev)
    for (const { text, advice } of unclearRules(spec)) log.warn({ file: name }, `genesis file: ${text}: ${advice}`)
  for (const { key, meant } of unknownKeys(spec.genesis))
    log.warn(
      { file: name, key, meant },
      `genesis file: {key} is unknown and has no effect${meant === undefined ? '' : '; did you mean {meant}?'}`,
    )
}
