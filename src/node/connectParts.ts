import { startIndexer } from '../chain/blockIndex/indexer.ts'
import { blockIndexes } from '../chain/blockIndexes.ts'
import { servesOts } from '../config/explorerOptions.ts'
import { createProducer } from '../consensus/createProducer.ts'
import { createDevProducer, type DevProducer } from '../consensus/dev/devProducer.ts'
import type { Producer } from '../consensus/producing/producer.ts'
import { createVotes, type Votes } from '../consensus/voting/votes.ts'
import { catchUpSettingsOf } from '../importing/catchUp/catchUpSettings.ts'
import { openCatchUp } from '../importing/catchUp/openCatchUp.ts'
import type { StateServer } from '../net/snap/stateServer.ts'
import type { Address } from '../primitives/bytes.ts'
import { publicKeyToAddress } from '../primitives/secp256k1.ts'
import { reportBlocks } from '../reporting/reportBlocks.ts'
import type { StateWatch } from '../reporting/state/watchState.ts'
import { type ProductionWatch, watchProduction } from '../reporting/watchProduction.ts'
import { createNodePrivacy, type NodePrivacy } from './createNodePrivacy.ts'
import { createP2p, type P2p } from './createP2p.ts'
import type { PeerFacts } from './createPermissions.ts'
import type { NodeParts } from './openParts.ts'
import { createNetworkSwitch, type PeerNetwork } from './ports/networkSwitch.ts'
import { createOperatorPorts, type OperatorPorts } from './ports/operatorPorts.ts'
import { startPruning } from './ports/pruning.ts'
import { startSweeping } from './ports/sweeping.ts'
import { createValidatorLinks, type ValidatorLinks } from './ports/validatorLinks.ts'
import { watchNodeState } from './ports/watchNodeState.ts'
import { createStateReader } from './readers/createStateReader.ts'
import { headerTrustOf, snapSettingsOf } from './snapSettings.ts'
import type { StopList } from './stopList.ts'
import { validatorsOf } from './validatorsOf.ts'

/** A node whose parts are connected; it neither listens nor makes blocks yet. */
export interface ConnectedNode extends NodeParts {
  /** The address of the node's key. */
  readonly address: Address
  readonly operator: OperatorPorts
  readonly votes: Votes
  /** Undefined on other networks than the development network. */
  readonly dev: DevProducer | undefined
  /** Undefined where this node cannot make blocks. */
  readonly producer: Producer | undefined
  readonly watch: ProductionWatch
  readonly state: StateWatch
  /** Undefined where private transactions are disabled. */
  readonly privacy: NodePrivacy | undefined
  /** Undefined where the peer-to-peer network is disabled. */
  readonly p2p: P2p | undefined
  /** The same network, or one without peers where it is disabled. */
  readonly peerNetwork: PeerNetwork
}

/** Lets the pool follow the chain, and connects the producer of blocks with the network. */
export function connectParts(parts: NodeParts, stops: StopList): ConnectedNode {
  const { config, chain, store, states, consensus, pooling, clock, log } = parts
  const { address } = parts.key
  const peerNetwork = createNetworkSwitch()
  reportBlocks({
    ...{ chain, consensus, address, log },
    peers: () => p2p?.peers.count() ?? 0,
    sync: peerNetwork.sync,
    work: chain.work,
    metrics: parts.metrics.metrics,
    minReorgDepth: config['reorg-logging-threshold'],
  })
  chain.onHead(pooling.onHead)
  if (parts.plugin) stops.add(chain.onHead(parts.plugin.onHead))
  const privacy = createNodePrivacy({
    ...{ chain, store, consensus, pooling, clock },
    manager: parts.manager,
    kind: config['privacy-flexible-groups-enabled'] ? 'flexible' : 'managed',
    metrics: parts.metrics.metrics,
    log: parts.loggers.child('privacy'),
    view: parts.current.get,
  })
  stops.add(() => privacy?.stop())
  stops.add(startSweeping(privacy?.filters, pooling.pool, clock))
  const historyBlocks = config['history-blocks']
  const indexLogs = config['auto-log-bloom-caching-enabled']
  const kept = { states: historyBlocks, blocks: config['block-history'] }
  stops.add(startPruning({ chain, clock, log: log.child('pruning') }, kept))
  const operator = createOperatorPorts({
    chain,
    store,
    states,
    consensus,
    address,
    historyBlocks,
    indexLogs,
    clock,
    log,
  })
  stops.add(operator.stop)
  startIndexes(parts, stops)

  // The producer sends through the network, and the network offers the producer's protocols: one has to come first.
  const links = createValidatorLinks()
  const votes = createVotes()
  const watch = watchProduction({
    ...{ chain, address, clock },
    validators: () => validatorsOf(parts),
    roundStatus: () => producer?.roundStatus?.(),
    connected: () => p2p?.peers.list().map(({ id }) => publicKeyToAddress(id)) ?? [],
    sync: peerNetwork.sync,
    metrics: parts.metrics.metrics,
    log: parts.loggers.child('consensus'),
  })
  const dev = parts.network.isDev ? createNodeDevProducer(parts) : undefined
  const producer = dev ?? createNodeProducer(parts, { links, votes, peerNetwork, onRoundChange: watch.onRoundChange })
  const peerFacts: PeerFacts = {
    ids: () => p2p?.peers.list().map(({ id }) => id) ?? [],
    isInSync: () => p2p !== undefined && p2p.peers.count() > 0 && p2p.sync.isInSync(),
  }
  const p2p = config['p2p-enabled'] ? createNodeP2p(parts, { producer, links, peerFacts }, stops) : undefined
  if (p2p) {
    // It looks for blocks of peers from now on, also where a part after it cannot start.
    stops.add(p2p.stop)
    peerNetwork.switchOn(p2p)
  }
  const state = watchNodeState(parts, { producer, p2p, sync: peerNetwork.sync })
  return { ...parts, address, operator, votes, dev, producer, watch, state, privacy, p2p, peerNetwork }
}

function createNodeDevProducer({ config, chain, pooling, settings, clock, loggers }: NodeParts): DevProducer {
  const log = loggers.child('consensus')
  return createDevProducer({
    chain,
    pool: pooling.pool,
    clock,
    settings: settings.get,
    period: config['dev-period'],
    onError: (error) => log.error({ error: String(error) }, 'block production failed'),
  })
}

interface ProducerLinks {
  readonly links: ValidatorLinks
  readonly votes: Votes
  readonly peerNetwork: PeerNetwork
  readonly onRoundChange: () => void
}

function createNodeProducer(
  parts: NodeParts,
  { links, votes, peerNetwork, onRoundChange }: ProducerLinks,
): Producer | undefined {
  const { config, network, chain, consensus, store, pooling, settings, key, clock, loggers } = parts
  const isLegacy = config['Xbft-legacy-protocol-encoding']
  return createProducer(network.spec, {
    chain,
    consensus,
    store,
    pool: pooling.pool,
    findReceived: pooling.intake.find,
    clock,
    log: loggers.child('consensus'),
    network: {
      send: links.send,
      broadcastBlock: peerNetwork.broadcastBlock,
      probe: peerNetwork.sync.probe,
      blame: links.blame,
      isCatchingUp: peerNetwork.sync.isCatchingUp,
      standing: peerNetwork.sync.standing,
    },
    key,
    votes,
    settings: settings.get,
    random: Math.random,
    nextTurn: () => new Promise(setImmediate),
    encoding: isLegacy === undefined ? undefined : isLegacy ? 'legacy' : 'accessList',
    onRoundChange,
  })
}

interface PeerParts {
  readonly producer: Producer | undefined
  readonly links: ValidatorLinks
  readonly peerFacts: PeerFacts
}

function createNodeP2p(parts: NodeParts, { producer, links, peerFacts }: PeerParts, stops: StopList): P2p {
  const { networkOptions, permissions, network, chain, store, consensus, pooling, key, version, clock, loggers } = parts
  const settings = catchUpSettingsOf(parts.config, parts.dataPath)
  return createP2p(networkOptions, {
    chain,
    consensus,
    networkId: network.networkId,
    pool: pooling.pool,
    intake: pooling.intake,
    recover: pooling.recover,
    openImporter:
      settings && (() => openCatchUp(settings, { chain, consensus, owner: store.owner!, log: loggers.child('sync') })),
    key,
    clientId: version,
    allow: permissions.nodes(peerFacts),
    permitsPeer: permissions.permitsPeer,
    lookUp: parts.lookUp,
    protocols: producer ? links.protocolsOf(producer) : [],
    trust: headerTrustOf(parts),
    snap: snapSettingsOf(parts),
    onPast: () => startIndexes(parts, stops),
    stateServer: stateServerOf(parts, stops),
    clock,
    log: loggers,
  })
}

/** Adds the blocks to the indexes of accounts and tokens that are not in them yet, where these are on. */
function startIndexes({ config, store, clock, log }: NodeParts, stops: StopList): void {
  if (servesOts(config)) stops.add(startIndexer({ store, clock, log: log.child('indexes') }, blockIndexes).stop)
}

/** What serves the state to peers; undefined if they get none. */
function stateServerOf({ config, dataPath, clock, loggers }: NodeParts, stops: StopList): StateServer | undefined {
  if (!config['snapsync-server-enabled']) return undefined
  const server = createStateReader({ dataPath, clock, log: loggers.child('snap') })
  stops.add(server.stop)
  return server
}
