import { connect, type Socket } from 'node:net'
import { compareBytes, equalBytes, keyOf } from '../primitives/bytes.ts'
import type { Clock } from '../primitives/clock.ts'
import type { Logger } from '../primitives/logger.ts'
import type { RlpItem } from '../primitives/rlp.ts'
import { curve, publicKeyToAddress } from '../primitives/secp256k1.ts'
import { createDenylist } from './denylist.ts'
import { createDiscovery, type Discovery } from './discv4/discovery.ts'
import { type Enode, formatEnode } from './enode.ts'
import { formatRecord, type NodeRecord } from './enr.ts'
import { NetError } from './fault.ts'
import { type Listener, listenForPeers } from './listen.ts'
import { createPortMapper, type PortMapper, type WantedPort } from './nat/createPortMapper.ts'
import type { SearchOptions } from './nat/searchGateways.ts'
import { createOwnRecord } from './ownRecord.ts'
import { createPeerProtocols, type PeerProtocols } from './peers/createPeerProtocols.ts'
import { createDialer } from './peers/dialer.ts'
import { findSeat, type Seat } from './peers/seats.ts'
import type { DisconnectReason, NodeAllowlist, PeerInfo, SubProtocol } from './protocol.ts'
import { type ClosedBy, type Connection, createConnection } from './rlpx/connection.ts'
import type { Random } from './rlpx/handshake.ts'
import type { Hello } from './rlpx/hello.ts'
import { type SharedProtocol, shareProtocols } from './rlpx/shareProtocols.ts'

export interface NetworkOptions {
  /** IP address that other nodes are told to call. */
  readonly host: string
  /** IP address of the interface to listen on. */
  readonly interface: string
  /** TCP and UDP; 0 takes any that is free. */
  readonly port: number
  readonly maxPeers: number
  /** Share of the peers that may have called us, from 0 to 1; undefined sets no limit. */
  readonly maxInboundShare: number | undefined
  /** Full tables keep a random choice of peers instead of the oldest ones. */
  readonly randomPriority: boolean
  readonly discovery: boolean
  readonly bootnodes: readonly Enode[]
  readonly staticNodes: readonly Enode[]
  /** Node ids that are neither called nor let in. */
  readonly banned: readonly Uint8Array[]
  /** Has the router forward the node's ports by UPnP, and tells others the router's outer address. */
  readonly upnp: UpnpOptions | undefined
}

export interface UpnpOptions {
  /** Where routers listen for a search. */
  readonly searchAt: SearchOptions['place']
  /** Ports to be forwarded beside the node's own. */
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
  /** What the own record says beside the node's place, read whenever it is shown. */
  readonly recordEntries?: () => ReadonlyMap<string, RlpItem>
  /** Whether a node that was found is worth calling, by its record; all are when this is left out. */
  readonly acceptsRecord?: (record: NodeRecord) => boolean
}

/** This node among others: who it is connected with, and how it gets there. */
export interface Network {
  /** Listens, then calls static nodes and looks for others. */
  start(): Promise<void>
  /** Takes leave of all peers; resolves when no socket is left. */
  stop(): Promise<void>
  enode(): Enode
  /** The own record in text form. */
  record(): string
  peers(): readonly PeerInfo[]
  /** Stays connected with a node from now on; false when it did already. Calling itself is a fault. */
  addPeer(enode: Enode): boolean
  /** Undoes `addPeer` and disconnects; false when the node was neither static nor connected. */
  removePeer(enode: Enode): boolean
}

interface Peer extends Seat {
  readonly info: PeerInfo
  readonly enode: Enode
  readonly connection: Connection
  readonly protocols: PeerProtocols
  readonly since: number
}

interface Crossed {
  readonly peer: Peer
  readonly cancel: () => void
}

const version = 5
/** Connections on which Hello is awaited; beyond that the oldest has to go. */
const maxStrangers = 64
const maxDialling = 16
/** Two nodes that call each other at the same time sort it out within this. */
const crossing = 2_000

/** The network of a node; nothing happens before it is started. */
export function createNetwork(options: NetworkOptions, parts: NetworkParts): Network {
  const { key, clock, random, log, protocols } = parts
  const id = curve.publicKey(key)
  const peers = new Map<string, Peer>()
  const connections = new Set<Connection>()
  const strangers = new Set<Connection>()
  const dialling = new Map<string, Connection>()
  /** Second connections with peers that may end the first one. */
  const crossed = new Map<string, Crossed>()
  const denylist = createDenylist(options.banned)
  const { maxPeers, maxInboundShare } = options
  const limits = {
    maxPeers,
    maxInbound: maxInboundShare === undefined ? undefined : Math.floor(maxPeers * maxInboundShare),
    lottery: options.randomPriority ? random(32) : undefined,
  }
  let listener: Listener | undefined
  let discovery: Discovery | undefined
  let portMapper: PortMapper | undefined
  let stopListening: () => void = () => undefined
  let self: Enode = { id, ip: options.host, tcpPort: options.port, udpPort: options.discovery ? options.port : 0 }
  const record = createOwnRecord(key, clock, () => self, parts.recordEntries ?? (() => new Map()))

  function isAllowed(enode: Enode): boolean {
    if (denylist.isBanned(enode.id)) return false
    if (denylist.isMisbehaved(enode.id) && !dialer.isStatic(enode.id)) return false
    return parts.allow.isAllowed(self) && parts.allow.isAllowed(enode)
  }

  const dialer = createDialer({
    clock,
    random,
    isConnected: (id) => peers.has(keyOf(id)) || dialling.has(keyOf(id)),
    isAllowed: (enode) => !equalBytes(enode.id, id) && isAllowed(enode),
    freeSeats: () => Math.min(maxPeers - peers.size - dialling.size, maxDialling - dialling.size),
    dial: (enode) => adopt(connect({ host: enode.ip, port: enode.tcpPort, noDelay: true }), enode),
  })

  /** Takes over a socket; `dialled` is who was called, undefined when the other side called. */
  function adopt(socket: Socket, dialled: Enode | undefined): void {
    let remoteId = dialled?.id
    const connection = createConnection(socket, {
      key,
      hello: { version, clientId: parts.clientId, capabilities: protocols, listenPort: self.tcpPort, id },
      expectedId: dialled?.id,
      clock,
      random,
      log,
      onHello(hello) {
        remoteId = hello.id
        leaveStrangers()
        welcome(connection, hello, dialled)
      },
      onClose(reason, by) {
        leaveStrangers()
        const wasPeer = remoteId !== undefined && onClosed(connection, remoteId, reason, by)
        log.debug({ ...connection.remote(), reason, by }, wasPeer ? 'disconnected' : 'not connected')
      },
    })

    function leaveStrangers(): void {
      strangers.delete(connection)
      if (dialled) dialling.delete(keyOf(dialled.id))
    }

    connections.add(connection)
    void connection.gone.then(() => connections.delete(connection))
    if (dialled) {
      dialling.set(keyOf(dialled.id), connection)
      return
    }
    strangers.add(connection)
    const [oldest] = strangers
    if (strangers.size > maxStrangers) oldest!.disconnect('tooManyPeers')
  }

  /** Makes a connection that has said Hello a peer, or ends it. */
  function welcome(connection: Connection, hello: Hello, dialled: Enode | undefined): void {
    const remote = connection.remote()
    const enode = dialled ?? callerOf(hello, remote.ip)
    const shared = shareProtocols(protocols, hello.capabilities)
    const reason = isAllowed(enode) ? (shared.length ? undefined : 'uselessPeer') : 'unknown'
    if (reason) {
      connection.disconnect(reason)
      return
    }
    const peer = createPeer(connection, hello, enode, dialled === undefined, shared)
    const existing = peers.get(keyOf(hello.id))
    if (existing) onSecond(peer, existing)
    else seat(peer)
  }

  /** Where a caller listens. geth leaves its port out of Hello: then what discovery knows of it is taken. */
  function callerOf({ id, listenPort }: Hello, ip: string): Enode {
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
   * Both may have called at the same moment, and each sees its own connection first. The node with the higher id ends
   * the one that is second to it; the other waits for that, so that they never end both.
   */
  function onSecond(peer: Peer, existing: Peer): void {
    const at = keyOf(peer.id)
    const decides = compareBytes(id, peer.id) > 0 || clock.now() - existing.since > crossing || crossed.has(at)
    if (decides) {
      peer.connection.disconnect('alreadyConnected')
      return
    }
    const cancel = clock.after(crossing, () => {
      crossed.delete(at)
      peer.connection.disconnect('alreadyConnected')
    })
    crossed.set(at, { peer, cancel })
  }

  function seat(peer: Peer): void {
    const seating = findSeat(peer, [...peers.values()], limits)
    if ('refused' in seating) {
      peer.connection.disconnect(seating.refused)
      return
    }
    seating.instead?.connection.disconnect('tooManyPeers')
    peers.set(keyOf(peer.id), peer)
    log.debug({ peer: formatEnode(peer.enode), client: peer.info.clientId, inbound: peer.inbound }, 'connected')
    peer.protocols.open()
  }

  /** Whether it was the connection of a peer. */
  function onClosed(connection: Connection, remoteId: Uint8Array, reason: DisconnectReason, by: ClosedBy): boolean {
    if (reason === 'incompatibleVersion' || (by === 'us' && reason === 'breachOfProtocol')) denylist.add(remoteId)
    const at = keyOf(remoteId)
    const second = crossed.get(at)
    const peer = peers.get(at)
    if (second?.peer.connection === connection) dropCrossed(at)
    if (peer?.connection !== connection) return false
    peers.delete(at)
    dialer.onLost(remoteId, clock.now() - peer.since)
    peer.protocols.close()
    if (second) {
      dropCrossed(at)
      seat(second.peer)
    }
    return true
  }

  function dropCrossed(at: string): void {
    crossed.get(at)?.cancel()
    crossed.delete(at)
  }

  const wantsPeers = () => peers.size < maxPeers

  async function onFound(enode: Enode): Promise<void> {
    if (!wantsPeers() || peers.has(keyOf(enode.id))) return
    if (parts.acceptsRecord) {
      const record = await discovery?.requestRecord(enode)
      if (record && !parts.acceptsRecord(record)) {
        log.debug({ peer: formatEnode(enode) }, 'of another chain')
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
      isAllowed,
      wantsPeers,
      onFound: (enode) => void onFound(enode),
    })
    discovery.start([...options.bootnodes, ...options.staticNodes])
  }

  /** The others are told of the outer address as soon as the router has given it. */
  function startPortMapper({ searchAt, more }: UpnpOptions): void {
    const tcp: WantedPort = { transport: 'TCP', port: self.tcpPort, name: 'Quoin p2p' }
    const udp: WantedPort = { transport: 'UDP', port: self.udpPort, name: 'Quoin discovery' }
    portMapper = createPortMapper([tcp, ...(options.discovery ? [udp] : []), ...more], {
      search: { place: searchAt, interface: options.interface },
      clock,
      log: log.child('nat'),
      onPlace({ ip, outerPort }) {
        self = { ...self, ip, tcpPort: outerPort(tcp) ?? tcp.port, udpPort: outerPort(udp) ?? udp.port }
      },
    })
    portMapper.start()
  }

  /** Permissions have changed. */
  function recheck(): void {
    discovery?.purge()
    for (const peer of [...peers.values()]) if (!isAllowed(peer.enode)) peer.connection.disconnect('requested')
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
      self = { ...self, tcpPort: listener.port, udpPort: options.discovery ? listener.port : 0 }
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
      for (const at of [...crossed.keys()]) dropCrossed(at)
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
