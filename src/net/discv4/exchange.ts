import type { NodeKey } from '../../keys/nodeIdentity.ts'
import { equalBytes, type Hash32, keyOf } from '../../primitives/bytes.ts'
import { createRecentMap } from '../../primitives/recentMap.ts'
import type { Clock } from '../../system/clock.ts'
import type { Enode } from '../enode.ts'
import { decodeRecord, type NodeRecord } from '../enr.ts'
import { type DiscoveryMessage, encodePacket, type NodeEndpoint, neighborsPerPacket, type Packet } from './packet.ts'
import type { Bond, Pending, PendingNodes, PendingPing, PendingRecord } from './pending.ts'
import { bucketSize } from './table.ts'

export interface ExchangeParts {
  readonly key: NodeKey
  readonly clock: Clock
  self(): Enode
  record(): { readonly seq: bigint; readonly bytes: Uint8Array }
  send(bytes: Uint8Array, to: NodeEndpoint): void
  isAllowed(enode: Enode): boolean
  /** Nodes to return to a FindNode request. */
  closest(target: Uint8Array): readonly Enode[]
  /** Called when a node has proved its endpoint. */
  onBonded(enode: Enode): void
}

/** Requests to other nodes, and responses to theirs. */
export interface Exchange {
  /** Handles a packet from `ip` and `port`. */
  receive(packet: Packet, ip: string, port: number): void
  /** Pings a node; returns whether it answered from its endpoint. */
  ping(enode: Enode): Promise<boolean>
  isBonded(enode: Enode): boolean
  /** Asks a node for neighbours of a key; empty if it does not answer. */
  findNode(enode: Enode, target: Uint8Array): Promise<readonly Enode[]>
  /** Requests a node's signed record; undefined if it does not answer. */
  requestRecord(enode: Enode): Promise<NodeRecord | undefined>
  /** Cancels pending requests. */
  stop(): void
}

const expiry = 60
const answerTimeout = 1_000
/** How long an endpoint proof is valid, in milliseconds. */
const bondLifetime = 12 * 3600_000
const maxBonds = 4096
const maxPending = 512
/** Milliseconds for the other node to verify our endpoint before it answers requests. */
const pingBackTime = 500

const bondKey = (id: Uint8Array, ip: string, port: number) => `${keyOf(id)}${ip} ${port}`

/** Requests within the same second are identical for all nodes, so the hash alone does not identify a request. */
const recordKey = (request: Uint8Array, id: Uint8Array) => keyOf(request) + keyOf(id)

/**
 * Questions that await a packet, and which addresses have proved that they are there. Without that proof a node would send large answers
 * to an address that a stranger has written into a small packet.
 */
class PacketExchange implements Exchange {
  private readonly parts: ExchangeParts
  /** Of nodes that have answered, and of those that only asked: of these there may be any number. */
  private readonly bonds = createRecentMap<string, Bond>(maxBonds)
  private readonly claims = createRecentMap<string, Bond>(maxBonds)
  /** By hash of the packet that is to be answered. */
  private readonly pings = new Map<string, PendingPing>()
  private readonly records = new Map<string, PendingRecord>()
  /** By node ID. */
  private readonly pingsById = new Map<string, PendingPing>()
  private readonly lookups = new Map<string, PendingNodes>()
  private readonly requests = new Map<string, Promise<NodeRecord | undefined>>()
  private stopped = false

  constructor(parts: ExchangeParts) {
    this.parts = parts
  }

  private now() {
    return Math.floor(this.parts.clock.now() / 1000)
  }

  private isFresh(time: number | undefined) {
    return time !== undefined && this.parts.clock.now() - time < bondLifetime
  }

  /** `onSent` is told by what hash an answer will name the packet. */
  private post(message: DiscoveryMessage, to: NodeEndpoint, onSent?: (hash: Hash32) => void): void {
    encodePacket(message, this.parts.key, ({ bytes, hash }) => {
      if (this.stopped) return
      this.parts.send(bytes, to)
      onSent?.(hash)
    })
  }

  private bondOf(enode: Enode): Bond | undefined {
    const at = bondKey(enode.id, enode.ip, enode.udpPort)
    return this.bonds.use(at) ?? this.claims.get(at)
  }

  private note(enode: Enode, change: Partial<Bond>): void {
    const past = Number.NEGATIVE_INFINITY
    const known = this.bondOf(enode) ?? { answered: past, asked: past, seq: 0n, tcpPort: enode.tcpPort }
    const bond = { ...known, ...change }
    const at = bondKey(enode.id, enode.ip, enode.udpPort)
    if (!this.isFresh(bond.answered)) {
      this.claims.set(at, bond)
      return
    }
    this.claims.delete(at)
    this.bonds.set(at, bond)
  }

  readonly isBonded = (enode: Enode): boolean => this.isFresh(this.bondOf(enode)?.answered)

  readonly ping = (enode: Enode): Promise<boolean> => {
    const known = this.pingsById.get(keyOf(enode.id))
    if (known) return known.promise
    if (this.stopped || this.pingsById.size >= maxPending || !this.parts.isAllowed(enode)) return Promise.resolve(false)
    let settle: (answered: boolean) => void = () => undefined
    const promise = new Promise<boolean>((resolve) => (settle = resolve))
    let sent: string | undefined
    const finish = (answered: boolean) => {
      cancel()
      if (sent !== undefined) this.pings.delete(sent)
      this.pingsById.delete(keyOf(enode.id))
      settle(answered)
    }
    const cancel = this.parts.clock.after(answerTimeout, () => finish(false))
    const pending = { id: enode.id, enode, promise, end: () => finish(false), succeed: () => finish(true) }
    this.pingsById.set(keyOf(enode.id), pending)
    const expires = this.now() + expiry
    const message = { type: 'ping', from: this.parts.self(), to: enode, expires, seq: this.parts.record().seq } as const
    this.post(message, enode, (hash) => {
      if (this.pingsById.get(keyOf(enode.id)) !== pending) return
      sent = keyOf(hash)
      this.pings.set(sent, pending)
    })
    return promise
  }

  private onPing(message: DiscoveryMessage & { type: 'ping' }, { id, hash }: Packet, ip: string, port: number): void {
    const enode: Enode = { id, ip, udpPort: port, tcpPort: message.from.tcpPort || port }
    if (!this.parts.isAllowed(enode)) return
    this.post(
      { type: 'pong', to: enode, ping: hash, expires: this.now() + expiry, seq: this.parts.record().seq },
      enode,
    )
    this.note(enode, { asked: this.parts.clock.now(), seq: message.seq, tcpPort: enode.tcpPort })
    if (this.isBonded(enode)) this.parts.onBonded(enode)
    else void this.ping(enode)
  }

  private onPong(message: DiscoveryMessage & { type: 'pong' }, { id }: Packet, ip: string, port: number): void {
    const pending = this.pings.get(keyOf(message.ping))
    if (!pending || !equalBytes(pending.id, id) || pending.enode.ip !== ip || pending.enode.udpPort !== port) return
    this.note(pending.enode, { answered: this.parts.clock.now(), seq: message.seq })
    this.parts.onBonded(pending.enode)
    pending.succeed()
  }

  private onFindNode(target: Uint8Array, asker: Enode): void {
    const nodes = this.parts.closest(target).filter((node) => !equalBytes(node.id, asker.id))
    const expires = this.now() + expiry
    let at = 0
    do {
      this.post({ type: 'neighbors', nodes: nodes.slice(at, at + neighborsPerPacket), expires }, asker)
      at += neighborsPerPacket
    } while (at < nodes.length)
  }

  /** Registers a pending response, which times out. */
  private wait<T>(pending: Map<string, T & Pending>, at: string, make: (finish: () => void) => T & Pending): void {
    const finish = () => {
      cancel()
      pending.delete(at)
    }
    const entry = make(finish)
    const cancel = this.parts.clock.after(answerTimeout, () => entry.end())
    pending.set(at, entry)
  }

  /** Waits for the node's own ping: until it has verified our endpoint, it answers only pings. */
  private async awaitPingBack(enode: Enode): Promise<void> {
    if (!this.isFresh(this.bondOf(enode)?.asked))
      await new Promise<void>((resolve) => void this.parts.clock.after(pingBackTime, resolve))
  }

  readonly findNode = async (enode: Enode, target: Uint8Array): Promise<readonly Enode[]> => {
    await this.awaitPingBack(enode)
    const at = keyOf(enode.id)
    if (this.stopped || this.lookups.has(at) || !this.parts.isAllowed(enode)) return []
    return new Promise((resolve) => {
      const found: Enode[] = []
      this.wait(this.lookups, at, (finish) => {
        const end = () => {
          finish()
          resolve(found)
        }
        return {
          id: enode.id,
          end,
          take(nodes) {
            found.push(...nodes.slice(0, bucketSize - found.length))
            if (found.length === bucketSize) end()
          },
        }
      })
      this.post({ type: 'findNode', target, expires: this.now() + expiry }, enode)
    })
  }

  /** Sends at most one request at a time to a node, and none to a node without a record. */
  readonly requestRecord = (enode: Enode): Promise<NodeRecord | undefined> => {
    if (this.bondOf(enode)?.seq === 0n) return Promise.resolve(undefined)
    const at = keyOf(enode.id)
    let request = this.requests.get(at)
    if (!request) {
      request = this.askForRecord(enode).finally(() => this.requests.delete(at))
      this.requests.set(at, request)
    }
    return request
  }

  private async askForRecord(enode: Enode): Promise<NodeRecord | undefined> {
    await this.awaitPingBack(enode)
    if (this.stopped || this.records.size >= maxPending) return undefined
    return new Promise((resolve) => {
      // Where the key is elsewhere and does not answer, nothing is sent.
      const giveUp = this.parts.clock.after(answerTimeout, () => resolve(undefined))
      this.post({ type: 'recordRequest', expires: this.now() + expiry }, enode, (hash) => {
        giveUp()
        this.wait(this.records, recordKey(hash, enode.id), (finish) => {
          const settle = (record: NodeRecord | undefined) => {
            finish()
            resolve(record)
          }
          return { id: enode.id, end: () => settle(undefined), take: settle }
        })
      })
    })
  }

  private onRecord(message: DiscoveryMessage & { type: 'recordResponse' }, id: Uint8Array): void {
    const pending = this.records.get(recordKey(message.request, id))
    if (!pending) return
    const record = decodeRecord(message.record)
    if (equalBytes(record.id, id)) pending.take(record)
  }

  private sendRecord(request: Hash32, to: Enode): void {
    const { seq, bytes } = this.parts.record()
    if (seq > 0n) this.post({ type: 'recordResponse', request, record: bytes }, to)
  }

  readonly receive: Exchange['receive'] = (packet, ip, port) => {
    const { message, id, hash } = packet
    if ('expires' in message && message.expires < this.now()) return
    const sender: Enode = { id, ip, udpPort: port, tcpPort: port }
    if (message.type === 'ping') this.onPing(message, packet, ip, port)
    else if (message.type === 'pong') this.onPong(message, packet, ip, port)
    else if (message.type === 'neighbors') this.lookups.get(keyOf(id))?.take(message.nodes)
    else if (message.type === 'recordResponse') this.onRecord(message, id)
    // An unverified endpoint could be a victim's: it gets no response larger than the request.
    else if (!this.isBonded(sender) || !this.parts.isAllowed({ ...sender, tcpPort: this.bondOf(sender)!.tcpPort }))
      return
    else if (message.type === 'findNode') this.onFindNode(message.target, sender)
    else this.sendRecord(hash, sender)
  }

  readonly stop: Exchange['stop'] = () => {
    this.stopped = true
    for (const pending of [...this.pingsById.values(), ...this.lookups.values(), ...this.records.values()])
      pending.end()
  }
}

/** Implements the packet exchange of discovery v4. */
export function createExchange(parts: ExchangeParts): Exchange {
  return new PacketExchange(parts)
}
