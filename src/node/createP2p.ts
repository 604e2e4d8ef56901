import { randomBytes } from 'node:crypto'
import { forkIdAt } from '../forks/forkId.ts'
import type { NodeKey } from '../keys/nodeIdentity.ts'
import type { Enode } from '../net/enode.ts'
import { encodeForkEntry, isOfChain } from '../net/eth/forkEntry.ts'
import type { RefusedPeer } from '../net/eth/refusedPeers.ts'
import { createNetwork } from '../net/network.ts'
import type { NetworkOptions } from '../net/p2pNetwork.ts'
import type { NodeAllowlist, SubProtocol } from '../net/protocol.ts'
import type { LookUp } from '../permissioning/nodeEntry.ts'
import { reportPeers } from '../reporting/reportPeers.ts'
import type { PeersPort, ServicePlace } from '../rpc/protocol/context.ts'
import { createEthService, type EthServiceParts } from '../sync/createEthService.ts'
import type { Sync } from '../sync/sync.ts'
import type { PeerNetwork } from './ports/networkSwitch.ts'
import { createPeersPort } from './ports/peersPort.ts'

export interface P2pParts extends Omit<EthServiceParts, 'random'> {
  /** The key of the node. */
  readonly key: NodeKey
  readonly clientId: string
  readonly allow: NodeAllowlist
  /** Whether a node may become a static peer. */
  permitsPeer(enode: Enode): boolean
  /** Finds addresses of host names; undefined where names in enode URLs are not enabled. */
  readonly lookUp?: LookUp | undefined
  /** Protocols besides eth. */
  readonly protocols: readonly SubProtocol[]
}

/** The peer-to-peer network of a node: connections, eth and synchronisation. */
export interface P2p extends PeerNetwork {
  /** Listens and starts to look for peers. */
  start(): Promise<void>
  stop(): Promise<void>
  /** Where it listens. */
  place(): ServicePlace
  readonly peers: PeersPort
  /** Nodes that were refused lately because they are on another chain. */
  refused(): readonly RefusedPeer[]
  readonly sync: Pick<Sync, 'status' | 'progress' | 'isInSync' | 'isCatchingUp' | 'standing' | 'onStatus' | 'probe'>
}

/** Creates the peer-to-peer network; it does not listen before `start`. */
export function createP2p(options: NetworkOptions, parts: P2pParts): P2p {
  const { chain, key, clientId, allow, clock } = parts
  const log = parts.log.child('p2p')
  const eth = createEthService({ ...parts, log, random: Math.random })

  /** The entries of the node record (ENR) that describe the chain. */
  const recordEntries = () =>
    new Map([['eth', encodeForkEntry(forkIdAt(chain.spec, chain.genesis.hash, chain.head().header))]])

  const network = createNetwork(options, {
    key,
    clientId,
    clock,
    log,
    random: (length) => new Uint8Array(randomBytes(length)),
    protocols: [...eth.protocols, ...parts.protocols],
    allow,
    recordEntries,
    acceptsRecord: (record) => isOfChain(record, chain.spec, chain.genesis.hash, chain.head().header),
  })
  const endReport = reportPeers(eth.peers, clock, log)
  let listening = false

  return {
    async start() {
      await network.start()
      listening = true
    },
    async stop() {
      listening = false
      await network.stop()
      await eth.stop()
      endReport()
    },
    place() {
      const { ip, tcpPort } = network.enode()
      return { host: ip, port: tcpPort }
    },
    peers: createPeersPort(network, eth.peers, {
      isListening: () => listening,
      permits: parts.permitsPeer,
      ...(parts.lookUp && { lookUp: parts.lookUp }),
    }),
    refused: eth.refused.list,
    sync: eth.sync,
    broadcastBlock: eth.blocks.broadcast,
  }
}
