import type { NodeKey } from '../keys/nodeIdentity.ts'
import type { RlpItem } from '../primitives/rlp.ts'
import type { Clock } from '../system/clock.ts'
import type { Logger } from '../system/logger.ts'
import type { Enode } from './enode.ts'
import type { NodeRecord } from './enr.ts'
import type { WantedPort } from './nat/createPortMapper.ts'
import type { SearchOptions } from './nat/searchGateways.ts'
import type { NodeAllowlist, PeerInfo, SubProtocol } from './protocol.ts'
import type { Random } from './rlpx/handshake.ts'

export interface NetworkOptions {
  /** IP address advertised to other nodes. */
  readonly host: string
  /** IP address of the interface to listen on. */
  readonly interface: string
  /** TCP and UDP port; 0 picks any free port. */
  readonly port: number
  /** Ports advertised instead of those that the node listens on. */
  readonly external?: { readonly tcpPort: number | undefined; readonly udpPort: number | undefined }
  readonly maxPeers: number
  /** Maximum share of inbound peers, from 0 to 1; undefined sets no limit. */
  readonly maxInboundShare: number | undefined
  /** If the peer limit is reached, keep a random selection of peers instead of the oldest. */
  readonly randomPriority: boolean
  readonly discovery: boolean
  readonly bootnodes: readonly Enode[]
  readonly staticNodes: readonly Enode[]
  /** Node IDs that are never connected. */
  readonly banned: readonly Uint8Array[]
  /** Makes the router forward the node's ports by UPnP, and advertises the router's external address. */
  readonly upnp: UpnpOptions | undefined
}

export interface UpnpOptions {
  /** Multicast address to which the search is sent. */
  readonly searchAddress: SearchOptions['address']
  /** Ports to forward in addition to the P2P ports. */
  readonly more: readonly WantedPort[]
}

export interface NetworkParts {
  /** The key of the node. */
  readonly key: NodeKey
  readonly clientId: string
  readonly clock: Clock
  readonly log: Logger
  readonly random: Random
  readonly protocols: readonly SubProtocol[]
  readonly allow: NodeAllowlist
  /** Further entries of this node's record, read whenever the record is used. */
  readonly recordEntries?: () => ReadonlyMap<string, RlpItem>
  /** Whether to connect to a discovered node, by its record; all nodes if absent. */
  readonly acceptsRecord?: (record: NodeRecord) => boolean
}

/** The P2P network: connections, discovery and port forwarding. */
export interface P2pNetwork {
  /** Listens, then connects to static nodes and starts discovery. */
  start(): Promise<void>
  /** Disconnects all peers; resolves when all sockets are closed. */
  stop(): Promise<void>
  enode(): Enode
  /** This node's record as `enr:…`. */
  record(): string
  peers(): readonly PeerInfo[]
  /** Adds a static peer; returns false if it was one already. Throws if the node is this one. */
  addPeer(enode: Enode): boolean
  /** Removes a static peer and disconnects it; returns false if it was neither static nor connected. */
  removePeer(enode: Enode): boolean
}
