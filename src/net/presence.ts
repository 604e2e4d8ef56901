import type { Socket } from 'node:net'
import { createDiscovery, type Discovery } from './discv4/discovery.ts'
import type { Enode } from './enode.ts'
import { formatRecord, type NodeRecord } from './enr.ts'
import { type Listener, listenForPeers } from './listen.ts'
import { createPortMapper, type PortMapper, type WantedPort } from './nat/createPortMapper.ts'
import { createOwnRecord } from './ownRecord.ts'
import type { NetworkOptions, NetworkParts, UpnpOptions } from './p2pNetwork.ts'

/** Where this node is found, and how it finds others: its sockets, its enode and record, discovery, the ports of its router. */
export interface Presence {
  /** Listens; the enode has its ports from then on. */
  start(): Promise<void>
  /** Resolves when nothing listens any more. */
  stop(): Promise<void>
  enode(): Enode
  /** This node's record as `enr:…`. */
  record(): string
  /** The nodes that discovery knows; none without it. */
  nodes(): readonly Enode[]
  requestRecord(enode: Enode): Promise<NodeRecord | undefined>
  /** Has discovery know a node, or forget that it waits for it. */
  bond(enode: Enode): void
  release(id: Uint8Array): void
  /** Forgets nodes that are not allowed any more. */
  purge(): void
}

export interface PresenceEvents {
  isAllowed(enode: Enode): boolean
  wantsPeers(): boolean
  onFound(enode: Enode): void
  onSocket(socket: Socket): void
}

/** The enode changes when the node listens, and again when a router tells its address. */
class NodePresence implements Presence {
  private readonly options: NetworkOptions
  private readonly parts: NetworkParts
  private readonly events: PresenceEvents
  private readonly ownRecord: ReturnType<typeof createOwnRecord>
  private listener: Listener | undefined
  private discovery: Discovery | undefined
  private portMapper: PortMapper | undefined
  private self: Enode

  constructor(options: NetworkOptions, parts: NetworkParts, events: PresenceEvents) {
    this.options = options
    this.parts = parts
    this.events = events
    const udpPort = options.discovery ? options.port : 0
    this.self = { id: parts.key.publicKey, ip: options.host, tcpPort: options.port, udpPort }
    this.ownRecord = createOwnRecord(parts.key, parts.clock, this.enode, parts.recordEntries ?? (() => new Map()))
  }

  private startDiscovery(listener: Listener): void {
    const { key, clock, random, log } = this.parts
    this.discovery = createDiscovery({
      ...{ key, clock, random, log: log.child('discovery') },
      self: this.enode,
      record: this.ownRecord,
      send: (bytes, to) => listener.send(bytes, to.udpPort, to.ip),
      isAllowed: this.events.isAllowed,
      wantsPeers: this.events.wantsPeers,
      onFound: this.events.onFound,
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

  readonly start: Presence['start'] = async () => {
    const { interface: host, port, discovery, external, upnp } = this.options
    this.listener = await listenForPeers({
      ...{ host, port, discovery },
      onSocket: this.events.onSocket,
      onDatagram: (bytes, ip, port) => this.discovery?.receive(bytes, ip, port),
    })
    const { tcpPort = this.listener.port, udpPort = this.listener.port } = external ?? {}
    this.self = { ...this.self, tcpPort, udpPort: discovery ? udpPort : 0 }
    if (upnp) this.startPortMapper(upnp)
    if (discovery) this.startDiscovery(this.listener)
  }

  readonly stop: Presence['stop'] = async () => {
    this.discovery?.stop()
    await Promise.all([this.listener?.close(), this.portMapper?.stop()])
  }

  readonly enode = (): Enode => this.self

  readonly record: Presence['record'] = () => formatRecord(this.ownRecord().bytes)

  readonly nodes: Presence['nodes'] = () => this.discovery?.nodes() ?? []

  readonly requestRecord: Presence['requestRecord'] = async (enode) => this.discovery?.requestRecord(enode)

  readonly bond: Presence['bond'] = (enode) => this.discovery?.bond(enode)

  readonly release: Presence['release'] = (id) => this.discovery?.release(id)

  readonly purge: Presence['purge'] = () => this.discovery?.purge()
}

export function createPresence(options: NetworkOptions, parts: NetworkParts, events: PresenceEvents): Presence {
  return new NodePresence(options, parts, events)
}
