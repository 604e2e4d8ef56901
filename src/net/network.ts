import { connect, type Socket } from 'node:net'
import { compareBytes, equalBytes, keyOf } from '../primitives/bytes.ts'
import { createDenylist } from './denylist.ts'
import { type Enode, formatEnode } from './enode.ts'
import { NetError } from './fault.ts'
import type { NetworkOptions, NetworkParts, P2pNetwork } from './p2pNetwork.ts'
import { admitPeer } from './peers/admitPeer.ts'
import { type ConnectedPeer, createConnectedPeer } from './peers/connectedPeer.ts'
import { createDialer } from './peers/dialer.ts'
import { createKeyWatch } from './peers/keyWatch.ts'
import { createPresence, type Presence } from './presence.ts'
import type { Closing } from './protocol.ts'
import type { Connection } from './rlpx/connection.ts'
import { createConnection } from './rlpx/createConnection.ts'
import type { Hello } from './rlpx/hello.ts'
import { shareProtocols } from './rlpx/shareProtocols.ts'

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
  private readonly peersById = new Map<string, ConnectedPeer>()
  private readonly connections = new Set<Connection>()
  private readonly pending = new Set<Connection>()
  private readonly dialling = new Map<string, Connection>()
  /** Second, simultaneous connections of connected peers, which may replace the first. */
  private readonly seconds = new Map<string, { readonly peer: ConnectedPeer; readonly cancel: () => void }>()
  private readonly denylist: ReturnType<typeof createDenylist>
  private readonly keyWatch: ReturnType<typeof createKeyWatch>
  private readonly limits
  private stopListening: () => void = () => undefined
  private readonly presence: Presence
  private readonly dialer: ReturnType<typeof createDialer>

  constructor(options: NetworkOptions, parts: NetworkParts) {
    this.parts = parts
    this.options = options
    this.id = parts.key.publicKey
    this.denylist = createDenylist(options.banned)
    this.keyWatch = createKeyWatch(parts.clock, parts.log)
    this.limits = {
      maxPeers: options.maxPeers,
      maxInbound:
        options.maxInboundShare === undefined ? undefined : Math.floor(options.maxPeers * options.maxInboundShare),
      salt: options.randomPriority ? parts.random(32) : undefined,
    }
    this.presence = createPresence(options, parts, {
      isAllowed: (enode) => this.mayDial(enode) || this.mayEnter(enode),
      wantsPeers: this.wantsPeers,
      onFound: (enode) => void this.onFound(enode),
      onSocket: (socket) => this.adopt(socket, undefined),
    })
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
  private readonly mayDial = (enode: Enode): boolean =>
    !this.isUnwanted(enode) && this.parts.allow.allows(this.presence.enode(), enode)

  /** Whether another node may connect to this one. */
  private readonly mayEnter = (enode: Enode): boolean =>
    !this.isUnwanted(enode) && this.parts.allow.allows(enode, this.presence.enode())

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
        listenPort: this.presence.enode().tcpPort,
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
    const peer = createConnectedPeer(connection, hello, {
      ...{ enode, shared, inbound: dialled === undefined },
      isStatic: () => this.dialer.isStatic(hello.id),
      log: this.parts.log,
      since: this.parts.clock.now(),
    })
    const existing = this.peersById.get(keyOf(hello.id))
    if (existing) this.onSecondConnection(peer, existing)
    else this.addPeerOrReject(peer)
  }

  /** The enode of an inbound peer. geth does not send its port in Hello; it is taken from discovery then. */
  private inboundEnode({ id, listenPort }: Hello, ip: string): Enode {
    const found = listenPort === 0 && this.presence.nodes().find((node) => equalBytes(node.id, id) && node.ip === ip)
    return found || { id, ip, tcpPort: listenPort, udpPort: listenPort }
  }

  /**
   * Two nodes may dial each other simultaneously, and each sees its own connection first. The node with the higher ID
   * disconnects the one that it sees second; the other node waits for that, so that they never close both.
   */
  private onSecondConnection(peer: ConnectedPeer, existing: ConnectedPeer): void {
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

  private addPeerOrReject(peer: ConnectedPeer): void {
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
      const record = await this.presence.requestRecord(enode)
      if (record && !this.parts.acceptsRecord(record)) {
        this.parts.log.debug({ peer: formatEnode(enode) }, 'discovered node is on another chain')
        return
      }
    }
    this.dialer.offer(enode)
  }

  /** Disconnects peers that are no longer allowed. */
  private readonly recheck = (): void => {
    this.presence.purge()
    for (const peer of [...this.peersById.values()])
      if (!(peer.inbound ? this.mayEnter : this.mayDial)(peer.enode)) peer.connection.disconnect('requested')
  }

  readonly start: P2pNetwork['start'] = async () => {
    await this.presence.start()
    this.stopListening = this.parts.allow.onChange(this.recheck)
    for (const enode of this.options.staticNodes) if (!equalBytes(enode.id, this.id)) this.dialer.addStatic(enode)
    this.dialer.start()
  }

  readonly stop: P2pNetwork['stop'] = async () => {
    this.stopListening()
    this.dialer.stop()
    for (const at of [...this.seconds.keys()]) this.dropSecond(at)
    const closed = this.presence.stop()
    const last = [...this.connections]
    for (const connection of last) connection.disconnect('clientQuitting')
    await Promise.all(last.map(({ gone }) => gone))
    await closed
  }

  readonly enode: P2pNetwork['enode'] = () => this.presence.enode()

  readonly record: P2pNetwork['record'] = () => this.presence.record()

  readonly peers: P2pNetwork['peers'] = () => [...this.peersById.values()].map(({ info }) => info)

  readonly addPeer: P2pNetwork['addPeer'] = (enode) => {
    if (equalBytes(enode.id, this.id)) throw new NetError({ code: 'OWN_NODE' })
    if (enode.tcpPort === 0) throw new NetError({ code: 'NODE_DOES_NOT_LISTEN' })
    if (!this.dialer.addStatic(enode)) return false
    this.presence.bond(enode)
    return true
  }

  readonly removePeer: P2pNetwork['removePeer'] = ({ id }) => {
    const peer = this.peersById.get(keyOf(id))
    const known = this.dialer.removeStatic(id) || peer !== undefined
    peer?.connection.disconnect('requested')
    this.dialling.get(keyOf(id))?.disconnect('requested')
    this.presence.release(id)
    return known
  }
}

/** Creates the P2P network, which does nothing before it is started. */
export function createNetwork(options: NetworkOptions, parts: NetworkParts): P2pNetwork {
  return new PeerNetwork(options, parts)
}
