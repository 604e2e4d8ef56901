import { createProducer } from '../consensus/createProducer.ts'
import type { Producer } from '../consensus/producing/producer.ts'
import { createValidatorKey } from '../consensus/validatorKey.ts'
import { createVotes, type Votes } from '../consensus/voting/votes.ts'
import { createFilters, type Filters } from '../rpc/events/filters.ts'
import { createP2p, type P2p } from './createP2p.ts'
import type { NodeParts } from './openParts.ts'
import { networkOptionsOf } from './options/networkOptions.ts'
import { followHead } from './ports/followHead.ts'
import { createNetworkSwitch, type PeerNetwork } from './ports/networkSwitch.ts'
import { createOperatorPorts, type OperatorPorts } from './ports/operatorPorts.ts'
import { startPruning } from './ports/pruning.ts'
import { startSweeping } from './ports/sweeping.ts'
import { createValidatorLinks, type ValidatorLinks } from './ports/validatorLinks.ts'
import type { StopList } from './stopList.ts'

/** A node whose parts are connected; it neither listens nor makes blocks yet. */
export interface ConnectedNode extends NodeParts {
  readonly filters: Filters
  readonly operator: OperatorPorts
  readonly votes: Votes
  /** Undefined where this node cannot make blocks. */
  readonly producer: Producer | undefined
  /** Undefined where the peer-to-peer network is disabled. */
  readonly p2p: P2p | undefined
  /** The same network, or one without peers where it is disabled. */
  readonly peerNetwork: PeerNetwork
}

/** Lets the pool and the filters follow the chain, and connects the producer of blocks with the network. */
export function connectParts(parts: NodeParts, stops: StopList): ConnectedNode {
  const { config, chain, store, states, consensus, pooling, clock, log } = parts
  const peerNetwork = createNetworkSwitch()
  const filters = createFilters(clock.now)
  followHead({ chain, pooling, filters, sync: peerNetwork.sync, clock, log })
  stops.add(startSweeping(filters, pooling.pool, clock))
  const historyBlocks = config['history-blocks']
  const indexLogs = config['auto-log-bloom-caching-enabled']
  stops.add(startPruning(chain, historyBlocks, clock))
  const operator = createOperatorPorts({
    chain,
    store,
    states,
    consensus,
    address: createValidatorKey(parts.key).address,
    historyBlocks,
    indexLogs,
    clock,
    log,
  })
  stops.add(operator.stop)

  // The producer sends through the network, and the network offers the producer's protocols: one has to come first.
  const links = createValidatorLinks()
  const votes = createVotes()
  const producer = createNodeProducer(parts, { links, votes, peerNetwork })
  const p2p = config['p2p-enabled'] ? createNodeP2p(parts, producer, links) : undefined
  if (p2p) peerNetwork.switchOn(p2p)
  return { ...parts, filters, operator, votes, producer, p2p, peerNetwork }
}

interface ProducerLinks {
  readonly links: ValidatorLinks
  readonly votes: Votes
  readonly peerNetwork: PeerNetwork
}

function createNodeProducer(parts: NodeParts, { links, votes, peerNetwork }: ProducerLinks): Producer | undefined {
  const { config, network, chain, consensus, store, pooling, settings, key, clock, loggers } = parts
  return createProducer(network.spec, {
    chain,
    consensus,
    store,
    pool: pooling.pool,
    clock,
    log: loggers.child('consensus'),
    network: {
      send: links.send,
      broadcastBlock: peerNetwork.broadcastBlock,
      probe: peerNetwork.sync.probe,
      blame: links.blame,
      isCatchingUp: peerNetwork.sync.isCatchingUp,
    },
    key: createValidatorKey(key),
    votes,
    settings: settings.get,
    random: Math.random,
    devPeriod: network.isDev ? config['dev-period'] : undefined,
  })
}

function createNodeP2p(parts: NodeParts, producer: Producer | undefined, links: ValidatorLinks): P2p {
  const { config, dataPath, network, chain, consensus, pooling, key, version, clock, loggers } = parts
  return createP2p(networkOptionsOf(config, dataPath), {
    chain,
    consensus,
    networkId: network.networkId,
    pool: pooling.pool,
    intake: pooling.intake,
    recover: pooling.recover,
    key,
    clientId: version,
    allow: { isAllowed: () => true, onChange: () => () => {} },
    protocols: producer ? links.protocolsOf(producer) : [],
    clock,
    log: loggers,
  })
}
