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

/** Creates the P2P network, which does nothing before it is started. */
export function createNetwork(options: NetworkOptions, parts: NetworkParts): P2pNetwork {
  const { key, clock, random, log, protocols } = parts
  const id = curve.publicKey(key)
  const peers = new Map<string, Peer>()
  const connections = new Set<Connection>()
  const pending = new Set<Connection>()
  const dialling = new Map<string, Connection>()
  /** Second, simultaneous connections of connected peers, which may replace the first. */
  const seconds = new Map<string, SecondConnection>()
  const denylist = createDenylist(options.banned)
  const keyWatch = createKeyWatch(clock, log)
  const { maxPeers, maxInboundShare } = options
  const limits = {
    maxPeers,
    maxInbound: maxInboundShare === undefined ? undefined : Math.floor(maxPeers * maxInboundShare),
    salt: options.randomPriority ? random(32) : undefined,
  }
  let listener: Listener | undefined
  let discovery: Discovery | undefined
  let portMapper: PortMapper | undefined
  let stopListening: () => void = () => undefined
  let self: Enode = { id, ip: options.host, tcpPort: options.port, udpPort: options.discovery ? options.port : 0 }
  const record = createOwnRecord(key, clock, () => self, parts.recordEntries ?? (() => new Map()))

  function isUnwanted({ id }: Enode): boolean {
    return denylist.isBanned(id) || (denylist.isMisbehaved(id) && !dialer.isStatic(id))
  }

  /** Whether this node may connect to another. */
  function mayDial(enode: Enode): boolean {
    return !isUnwanted(enode) && parts.allow.allows(self, enode)
  }

  /** Whether another node may connect to this one. */
  function mayEnter(enode: Enode): boolean {
    return !isUnwanted(enode) && parts.allow.allows(enode, self)
  }

  const dialer = createDialer({
    clock,
    random,
    isConnected: (id) => peers.has(keyOf(id)) || dialling.has(keyOf(id)),
    isAllowed: (enode) => !equalBytes(enode.id, id) && mayDial(enode),
    freeSlots: () => Math.min(maxPeers - peers.size - dialling.size, maxDialling - dialling.size),
    dial: (enode) => adopt(connect({ host: enode.ip, port: enode.tcpPort, noDelay: true }), enode),
  })

  /** Starts a connection on a socket; `dialled` is the node dialled, undefined for inbound connections. */
  function adopt(socket: Socket, dialled: Enode | undefined): void {
    let remoteId = dialled?.id
    const since = clock.now()
    const connection = createConnection(socket, {
      key,
      hello: { version, clientId: parts.clientId, capabilities: protocols, listenPort: self.tcpPort, id },
      expectedId: dialled?.id,
      clock,
      random,
      log,
      onHello(hello) {
        remoteId = hello.id
        removePending()
        onHello(connection, hello, dialled)
      },
      onClose(reason, by) {
        removePending()
        const wasPeer = remoteId !== undefined && onClosed(connection, remoteId, { reason, by })
        if (!remoteId || !peers.has(keyOf(remoteId)))
          keyWatch.onLost({ reason, by, remote: connection.remote(), id: remoteId, lasted: clock.now() - since })
        log.debug({ ...connection.remote(), reason, by }, wasPeer ? 'connection closed' : 'connection failed')
      },
    })

    function removePending(): void {
      pending.delete(connection)
      if (dialled) dialling.delete(keyOf(dialled.id))
    }

    connections.add(connection)
    void connection.gone.then(() => connections.delete(connection))
    if (dialled) {
      dialling.set(keyOf(dialled.id), connection)
      return
    }
    pending.add(connection)
    const [oldest] = pending
    if (pending.size > maxPending) oldest!.disconnect('tooManyPeers')
  }

  /** Makes a connection a peer after Hello, or disconnects it. */
  function onHello(connection: Connection, hello: Hello, dialled: Enode | undefined): void {
    const remote = connection.remote()
    const enode = dialled ?? inboundEnode(hello, remote.ip)
    const shared = shareProtocols(protocols, hello.capabilities)
    const isAllowed = dialled ? mayDial(enode) : mayEnter(enode)
    const reason = isAllowed ? (shared.length ? undefined : 'uselessPeer') : 'unknown'
    if (reason) {
      connection.disconnect(reason)
      return
    }
    const peer = createPeer(connection, hello, enode, dialled === undefined, shared)
    const existing = peers.get(keyOf(hello.id))
    if (existing) onSecondConnection(peer, existing)
    else addPeerOrReject(peer)
  }

  /** The enode of an inbound peer. geth does not send its port in Hello; it is taken from discovery then. */
  function inboundEnode({ id, listenPort }: Hello, ip: string): Enode {
    const found = listenPort === 0 && discovery?.nodes().find((node) => equalBytes(node.id, id) && node.ip === ip)
    return found || { id, ip, tcpPort: listenPort, udpPort: listenPort }
  }

  function createPeer(
    connection: Connection,
    hello: Hello,
    enode: Enode,
    inbound: boolean,
    shared: readonly SharedProtocol[],
  ): Peer {
    const isStatic = () => dialer.isStatic(hello.id)
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
      protocols: createPeerProtocols(connection, info, shared, log),
      since: clock.now(),
    }
  }

  /**
   * Two nodes may dial each other simultaneously, and each sees its own connection first. The node with the higher ID
   * disconnects the one that it sees second; the other node waits for that, so that they never close both.
   */
  function onSecondConnection(peer: Peer, existing: Peer): void {
    const at = keyOf(peer.id)
    const decides = compareBytes(id, peer.id) > 0 || clock.now() - existing.since > simultaneousTime || seconds.has(at)
    if (decides) {
      peer.connection.disconnect('alreadyConnected')
      return
    }
    const cancel = clock.after(simultaneousTime, () => {
      seconds.delete(at)
      peer.connection.disconnect('alreadyConnected')
    })
    seconds.set(at, { peer, cancel })
  }

  function addPeerOrReject(peer: Peer): void {
    const admission = admitPeer(peer, [...peers.values()], limits)
    if ('rejected' in admission) {
      peer.connection.disconnect(admission.rejected)
      return
    }
    admission.replaces?.connection.disconnect('tooManyPeers')
    peers.set(keyOf(peer.id), peer)
    log.debug({ peer: formatEnode(peer.enode), client: peer.info.clientId, inbound: peer.inbound }, 'connection opened')
    peer.protocols.open()
  }

  /** Returns whether the connection was that of a peer. */
  function onClosed(connection: Connection, remoteId: Uint8Array, closing: Closing): boolean {
    const { reason, by } = closing
    if (reason === 'incompatibleVersion' || (by === 'us' && reason === 'breachOfProtocol')) denylist.add(remoteId)
    const at = keyOf(remoteId)
    const second = seconds.get(at)
    const peer = peers.get(at)
    if (second?.peer.connection === connection) dropSecond(at)
    if (peer?.connection !== connection) return false
    peers.delete(at)
    dialer.onLost(remoteId, clock.now() - peer.since)
    peer.protocols.close(closing)
    if (second) {
      dropSecond(at)
      addPeerOrReject(second.peer)
    }
    return true
  }

  function dropSecond(at: string): void {
    seconds.get(at)?.cancel()
    seconds.delete(at)
  }

  const wantsPeers = () => peers.size < maxPeers

  async function onFound(enode: Enode): Promise<void> {
    if (!wantsPeers() || peers.has(keyOf(enode.id))) return
    if (parts.acceptsRecord) {
      const record = await discovery?.requestRecord(enode)
      if (record && !parts.acceptsRecord(record)) {
        log.debug({ peer: formatEnode(enode) }, 'discovered node is on another chain')
        return
      }
    }
    dialer.offer(enode)
  }

  function startDiscovery(listener: Listener): void {
    discovery = createDiscovery({
      key,
      clock,
      random,
      log: log.child('discovery'),
      self: () => self,
      record,
      send: (bytes, to) => listener.send(bytes, to.udpPort, to.ip),
      isAllowed: (enode) => mayDial(enode) || mayEnter(enode),
      wantsPeers,
      onFound: (enode) => void onFound(enode),
    })
    discovery.start([...options.bootnodes, ...options.staticNodes])
  }

  /** Starts port forwarding; the external address is advertised as soon as the router reports it. */
  function startPortMapper({ searchAddress, more }: UpnpOptions): void {
    const tcp: WantedPort = { transport: 'TCP', port: self.tcpPort, name: 'Quoin p2p' }
    const udp: WantedPort = { transport: 'UDP', port: self.udpPort, name: 'Quoin discovery' }
    portMapper = createPortMapper([tcp, ...(options.discovery ? [udp] : []), ...more], {
      search: { address: searchAddress, interface: options.interface },
      clock,
      log: log.child('nat'),
      onForwarded({ ip, externalPort }) {
        self = { ...self, ip, tcpPort: externalPort(tcp) ?? tcp.port, udpPort: externalPort(udp) ?? udp.port }
      },
    })
    portMapper.start()
  }

  /** Disconnects peers that are no longer allowed. */
  function recheck(): void {
    discovery?.purge()
    for (const peer of [...peers.values()])
      if (!(peer.inbound ? mayEnter : mayDial)(peer.enode)) peer.connection.disconnect('requested')
  }

  return {
    async start() {
      listener = await listenForPeers({
        host: options.interface,
        port: options.port,
        discovery: options.discovery,
        onSocket: (socket) => adopt(socket, undefined),
        onDatagram: (bytes, ip, port) => discovery?.receive(bytes, ip, port),
      })
      const { tcpPort = listener.port, udpPort = listener.port } = options.external ?? {}
      self = { ...self, tcpPort, udpPort: options.discovery ? udpPort : 0 }
      stopListening = parts.allow.onChange(recheck)
      if (options.upnp) startPortMapper(options.upnp)
      if (options.discovery) startDiscovery(listener)
      for (const enode of options.staticNodes) if (!equalBytes(enode.id, id)) dialer.addStatic(enode)
      dialer.start()
    },
    async stop() {
      stopListening()
      dialer.stop()
      discovery?.stop()
      for (const at of [...seconds.keys()]) dropSecond(at)
      const closed = Promise.all([listener?.close(), portMapper?.stop()])
      const last = [...connections]
      for (const connection of last) connection.disconnect('clientQuitting')
      await Promise.all(last.map(({ gone }) => gone))
      await closed
    },
    enode: () => self,
    record: () => formatRecord(record().bytes),
    peers: () => [...peers.values()].map(({ info }) => info),
    addPeer(enode) {
      if (equalBytes(enode.id, id)) throw new NetError({ code: 'OWN_NODE' })
      if (enode.tcpPort === 0) throw new NetError({ code: 'NODE_DOES_NOT_LISTEN' })
      if (!dialer.addStatic(enode)) return false
      discovery?.bond(enode)
      return true
    },
    removePeer({ id }) {
      const peer = peers.get(keyOf(id))
      const known = dialer.removeStatic(id) || peer !== undefined
      peer?.connection.disconnect('requested')
      dialling.get(keyOf(id))?.disconnect('requested')
      discovery?.release(id)
      return known
    },
  }
}
