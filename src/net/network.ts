import { connect, type Socket } from 'node:net'
import { compareBytes, equalBytes, keyOf } from '../primitives/bytes.ts'
import type { RlpItem } from '../primitives/rlp.ts'
import { curve, publicKeyToAddress } from '../primitives/secp256k1.ts'
import type { Clock } from '../system/clock.ts'
import type { Logger } from '../system/logger.ts'
import { createDenylist } from './denylist.ts'
import { createDiscovery, type Discovery } from './discv4/discovery.ts'
import { type Enode, formatEnode } from './enode.ts'
import { formatRecord, type NodeRecord } from './enr.ts'
import { NetError } from './fault.ts'
import { type Listener, listenForPeers } from './listen.ts'
import { createPortMapper, type PortMapper, type WantedPort } from './nat/createPortMapper.ts'
import type { SearchOptions } from './nat/searchGateways.ts'
import { createOwnRecord } from './ownRecord.ts'
import { admitPeer, type PeerCandidate } from './peers/admitPeer.ts'
import { createPeerProtocols, type PeerProtocols } from './peers/createPeerProtocols.ts'
import { createDialer } from './peers/dialer.ts'
import { createKeyWatch } from './peers/keyWatch.ts'
import type { Closing, NodeAllowlist, PeerInfo, SubProtocol } from './protocol.ts'
import { type Connection, createConnection } from './rlpx/connection.ts'
import type { Random } from './rlpx/handshake.ts'
import type { Hello } from './rlpx/hello.ts'
import { type SharedProtocol, shareProtocols } from './rlpx/shareProtocols.ts'

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
  /** Private key of the node. */
  readonly key: Uint8Array
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

interface Peer extends PeerCandidate {
  readonly info: PeerInfo
  readonly enode: Enode
  readonly connection: Connection
  readonly protocols: PeerProtocols
  readonly since: number
}

interface SecondConnection {
  readonly peer: Peer
  readonly cancel: () => void
}

const version = 5
/** Maximum inbound connections before Hello; above that, the oldest is disconnected. */
const maxPending = 64
const maxDialling = 16
/** Milliseconds within which two connections with the same peer count as simultaneous. */
const simultaneousTime = 2_000

/** The connections to peers: what they are allowed, whom to dial, what each session announced, and how it ends. */
class PeerNetwork implements P2pNetwork {
  private readonly options: NetworkOptions
  private readonly parts: NetworkParts
  private readonly id: Uint8Array
  private readonly peersById = new Map<string, Peer>()
  private readonly connections = new Set<Connection>()
  private readonly pending = new Set<Connection>()
  private readonly dialling = new Map<string, Connection>()
  /** Second, simultaneous connections of connected peers, which may replace the first. */
  private readonly seconds = new Map<string, SecondConnection>()
  private readonly denylist: ReturnType<typeof createDenylist>
  private readonly keyWatch: ReturnType<typeof createKeyWatch>
  private readonly limits
  private listener: Listener | undefined
  private discovery: Discovery | undefined
  private portMapper: PortMapper | undefined
  private stopListening: () => void = () => undefined
  private self: Enode
  private readonly ownRecord: ReturnType<typeof createOwnRecord>
  private readonly dialer: ReturnType<typeof createDialer>

  constructor(options: NetworkOptions, parts: NetworkParts) {
    this.parts = parts
    this.options = options
    this.id = curve.publicKey(parts.key)
    this.denylist = createDenylist(options.banned)
    this.keyWatch = createKeyWatch(parts.clock, parts.log)
    this.limits = {
      maxPeers: options.maxPeers,
      maxInbound:
        options.maxInboundShare === undefined ? undefined : Math.floor(options.maxPeers * options.maxInboundShare),
      salt: options.randomPriority ? parts.random(32) : undefined,
    }
    this.self = { id: this.id, ip: options.host, tcpPort: options.port, udpPort: options.discovery ? options.port : 0 }
    this.ownRecord = createOwnRecord(parts.key, parts.clock, () => this.self, parts.recordEntries ?? (() => new Map()))
    this.dialer = createDialer({
      clock: parts.clock,
      random: parts.random,
      isConnected: (id) => this.peersById.has(keyOf(id)) || this.dialling.has(keyOf(id)),
      isAllowed: (enode) => !equalBytes(enode.id, this.id) && this.mayDial(enode),
      freeSlots: () =>
        Math.min(options.maxPeers - this.peersById.size - this.dialling.size, maxDialling - this.dialling.size),
      dial: (enode) => this.adopt(connect({ host: enode.ip, port: enode.tcpPort, noDelay: true }), enode),
    })
  }

  private isUnwanted({ id }: Enode): boolean {
    return this.denylist.isBanned(id) || (this.denylist.isMisbehaved(id) && !this.dialer.isStatic(id))
  }

  /** Whether this node may connect to another. */
  private readonly mayDial = (enode: Enode): boolean => {
    return !this.isUnwanted(enode) && this.parts.allow.allows(this.self, enode)
  }

  /** Whether another node may connect to this one. */
  private readonly mayEnter = (enode: Enode): boolean => {
    return !this.isUnwanted(enode) && this.parts.allow.allows(enode, this.self)
  }

  /** Starts a connection on a socket; `dialled` is the node dialled, undefined for inbound connections. */
  private adopt(socket: Socket, dialled: Enode | undefined): void {
    let remoteId = dialled?.id
    const since = this.parts.clock.now()
    const connection = createConnection(socket, {
      key: this.parts.key,
      hello: {
        version,
        clientId: this.parts.clientId,
        capabilities: this.parts.protocols,
        listenPort: this.self.tcpPort,
        id: this.id,
      },
      expectedId: dialled?.id,
      clock: this.parts.clock,
      random: this.parts.random,
      log: this.parts.log,
      onHello: (hello) => {
        remoteId = hello.id
        removePending()
        this.onHello(connection, hello, dialled)
      },
      onClose: (reason, by) => {
        removePending()
        const wasPeer = remoteId !== undefined && this.onClosed(connection, remoteId, { reason, by })
        if (!remoteId || !this.peersById.has(keyOf(remoteId)))
          this.keyWatch.onLost({
            reason,
            by,
            remote: connection.remote(),
            id: remoteId,
            lasted: this.parts.clock.now() - since,
          })
        this.parts.log.debug(
          { ...connection.remote(), reason, by },
          wasPeer ? 'connection closed' : 'connection failed',
        )
      },
    })

    const removePending = (): void => {
      this.pending.delete(connection)
      if (dialled) this.dialling.delete(keyOf(dialled.id))
    }

    this.connections.add(connection)
    void connection.gone.then(() => this.connections.delete(connection))
    if (dialled) {
      this.dialling.set(keyOf(dialled.id), connection)
      return
    }
    this.pending.add(connection)
    const [oldest] = this.pending
    if (this.pending.size > maxPending) oldest!.disconnect('tooManyPeers')
  }

  /** Makes a connection a peer after Hello, or disconnects it. */
  private onHello(connection: Connection, hello: Hello, dialled: Enode | undefined): void {
    const remote = connection.remote()
    const enode = dialled ?? this.inboundEnode(hello, remote.ip)
    const shared = shareProtocols(this.parts.protocols, hello.capabilities)
    const isAllowed = dialled ? this.mayDial(enode) : this.mayEnter(enode)
    const reason = isAllowed ? (shared.length ? undefined : 'uselessPeer') : 'unknown'
    if (reason) {
      connection.disconnect(reason)
      return
    }
    const peer = this.createPeer(connection, hello, enode, dialled === undefined, shared)
    const existing = this.peersById.get(keyOf(hello.id))
    if (existing) this.onSecondConnection(peer, existing)
    else this.addPeerOrReject(peer)
  }

  /** The enode of an inbound peer. geth does not send its port in Hello; it is taken from discovery then. */
  private inboundEnode({ id, listenPort }: Hello, ip: string): Enode {
    const found = listenPort === 0 && this.discovery?.nodes().find((node) => equalBytes(node.id, id) && node.ip === ip)
    return found || { id, ip, tcpPort: listenPort, udpPort: listenPort }
  }

  private createPeer(
    connection: Connection,
    hello: Hello,
    enode: Enode,
    inbound: boolean,
    shared: readonly SharedProtocol[],
  ): Peer {
    const isStatic = () => this.dialer.isStatic(hello.id)
    const info: PeerInfo = {
      id: hello.id,
      address: publicKeyToAddress(hello.id),
      clientId: hello.clientId,
      inbound,
      get isStatic() {
        return isStatic()
      },
      capabilities: hello.capabilities,
      remote: connection.remote(),
      local: connection.local(),
      listenPort: hello.listenPort,
    }
    return {
      id: hello.id,
      inbound,
      get isStatic() {
        return isStatic()
      },
      info,
      enode,
      connection,
      protocols: createPeerProtocols(connection, info, shared, this.parts.log),
      since: this.parts.clock.now(),
    }
  }

  /**
   * Two nodes may dial each other simultaneously, and each sees its own connection first. The node with the higher ID
   * disconnects the one that it sees second; the other node waits for that, so that they never close both.
   */
  private onSecondConnection(peer: Peer, existing: Peer): void {
    const at = keyOf(peer.id)
    const decides =
      compareBytes(this.id, peer.id) > 0 ||
      this.parts.clock.now() - existing.since > simultaneousTime ||
      this.seconds.has(at)
    if (decides) {
      peer.connection.disconnect('alreadyConnected')
      return
    }
    const cancel = this.parts.clock.after(simultaneousTime, () => {
      this.seconds.delete(at)
      peer.connection.disconnect('alreadyConnected')
    })
    this.seconds.set(at, { peer, cancel })
  }

  private addPeerOrReject(peer: Peer): void {
    const admission = admitPeer(peer, [...this.peersById.values()], this.limits)
    if ('rejected' in admission) {
      peer.connection.disconnect(admission.rejected)
      return
    }
    admission.replaces?.connection.disconnect('tooManyPeers')
    this.peersById.set(keyOf(peer.id), peer)
    this.parts.log.debug(
      { peer: formatEnode(peer.enode), client: peer.info.clientId, inbound: peer.inbound },
      'connection opened',
    )
    peer.protocols.open()
  }

  /** Returns whether the connection was that of a peer. */
  private onClosed(connection: Connection, remoteId: Uint8Array, closing: Closing): boolean {
    const { reason, by } = closing
    if (reason === 'incompatibleVersion' || (by === 'us' && reason === 'breachOfProtocol')) this.denylist.add(remoteId)
    const at = keyOf(remoteId)
    const second = this.seconds.get(at)
    const peer = this.peersById.get(at)
    if (second?.peer.connection === connection) this.dropSecond(at)
    if (peer?.connection !== connection) return false
    this.peersById.delete(at)
    this.dialer.onLost(remoteId, this.parts.clock.now() - peer.since)
    peer.protocols.close(closing)
    if (second) {
      this.dropSecond(at)
      this.addPeerOrReject(second.peer)
    }
    return true
  }

  private dropSecond(at: string): void {
    this.seconds.get(at)?.cancel()
    this.seconds.delete(at)
  }

  private readonly wantsPeers = () => this.peersById.size < this.options.maxPeers

  private async onFound(enode: Enode): Promise<void> {
    if (!this.wantsPeers() || this.peersById.has(keyOf(enode.id))) return
    if (this.parts.acceptsRecord) {
      const record = await this.discovery?.requestRecord(enode)
      if (record && !this.parts.acceptsRecord(record)) {
        this.parts.log.debug({ peer: formatEnode(enode) }, 'discovered node is on another chain')
        return
      }
    }
    this.dialer.offer(enode)
  }

  private startDiscovery(listener: Listener): void {
    this.discovery = createDiscovery({
      key: this.parts.key,
      clock: this.parts.clock,
      random: this.parts.random,
      log: this.parts.log.child('discovery'),
      self: () => this.self,
      record: this.ownRecord,
      send: (bytes, to) => listener.send(bytes, to.udpPort, to.ip),
      isAllowed: (enode) => this.mayDial(enode) || this.mayEnter(enode),
      wantsPeers: this.wantsPeers,
      onFound: (enode) => void this.onFound(enode),
    })
    this.discovery.start([...this.options.bootnodes, ...this.options.staticNodes])
  }

  /** Starts port forwarding; the external address is advertised as soon as the router reports it. */
  private startPortMapper({ searchAddress, more }: UpnpOptions): void {
    const tcp: WantedPort = { transport: 'TCP', port: this.self.tcpPort, name: 'Quoin p2p' }
    const udp: WantedPort = { transport: 'UDP', port: this.self.udpPort, name: 'Quoin discovery' }
    this.portMapper = createPortMapper([tcp, ...(this.options.discovery ? [udp] : []), ...more], {
      search: { address: searchAddress, interface: this.options.interface },
      clock: this.parts.clock,
      log: this.parts.log.child('nat'),
      onForwarded: ({ ip, externalPort }) => {
        this.self = { ...this.self, ip, tcpPort: externalPort(tcp) ?? tcp.port, udpPort: externalPort(udp) ?? udp.port }
      },
    })
    this.portMapper.start()
  }

  /** Disconnects peers that are no longer allowed. */
  private readonly recheck = (): void => {
    this.discovery?.purge()
    for (const peer of [...this.peersById.values()])
      if (!(peer.inbound ? this.mayEnter : this.mayDial)(peer.enode)) peer.connection.disconnect('requested')
  }

  readonly start: P2pNetwork['start'] = async () => {
    this.listener = await listenForPeers({
      host: this.options.interface,
      port: this.options.port,
      discovery: this.options.discovery,
      onSocket: (socket) => this.adopt(socket, undefined),
      onDatagram: (bytes, ip, port) => this.discovery?.receive(bytes, ip, port),
    })
    const { tcpPort = this.listener.port, udpPort = this.listener.port } = this.options.external ?? {}
    this.self = { ...this.self, tcpPort, udpPort: this.options.discovery ? udpPort : 0 }
    this.stopListening = this.parts.allow.onChange(this.recheck)
    if (this.options.upnp) this.startPortMapper(this.options.upnp)
    if (this.options.discovery) this.startDiscovery(this.listener)
    for (const enode of this.options.staticNodes) if (!equalBytes(enode.id, this.id)) this.dialer.addStatic(enode)
    this.dialer.start()
  }

  readonly stop: P2pNetwork['stop'] = async () => {
    this.stopListening()
    this.dialer.stop()
    this.discovery?.stop()
    for (const at of [...this.seconds.keys()]) this.dropSecond(at)
    const closed = Promise.all([this.listener?.close(), this.portMapper?.stop()])
    const last = [...this.connections]
    for (const connection of last) connection.disconnect('clientQuitting')
    await Promise.all(last.map(({ gone }) => gone))
    await closed
  }

  readonly enode: P2pNetwork['enode'] = () => this.self

  readonly record: P2pNetwork['record'] = () => formatRecord(this.ownRecord().bytes)

  readonly peers: P2pNetwork['peers'] = () => [...this.peersById.values()].map(({ info }) => info)

  readonly addPeer: P2pNetwork['addPeer'] = (enode) => {
    if (equalBytes(enode.id, this.id)) throw new NetError({ code: 'OWN_NODE' })
    if (enode.tcpPort === 0) throw new NetError({ code: 'NODE_DOES_NOT_LISTEN' })
    if (!this.dialer.addStatic(enode)) return false
    this.discovery?.bond(enode)
    return true
  }

  readonly removePeer: P2pNetwork['removePeer'] = ({ id }) => {
    const peer = this.peersById.get(keyOf(id))
    const known = this.dialer.removeStatic(id) || peer !== undefined
    peer?.connection.disconnect('requested')
    this.dialling.get(keyOf(id))?.disconnect('requested')
    this.discovery?.release(id)
    return known
  }
}

/** Creates the P2P network, which does nothing before it is started. */
export function createNetwork(options: NetworkOptions, parts: NetworkParts): P2pNetwork {
  return new PeerNetwork(options, parts)
}
