import { equalBytes, type Hash32, keyOf } from '../../primitives/bytes.ts'
import { createRecentMap } from '../../primitives/recentMap.ts'
import type { Clock } from '../../system/clock.ts'
import type { Enode } from '../enode.ts'
import { decodeRecord, type NodeRecord } from '../enr.ts'
import { type DiscoveryMessage, encodePacket, type NodeEndpoint, neighborsPerPacket, type Packet } from './packet.ts'
import { bucketSize } from './table.ts'

export interface ExchangeParts {
  readonly key: Uint8Array
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

interface Bond {
  /** When the node last answered a ping, and when it last sent one. */
  readonly answered: number
  readonly asked: number
  /** Last known sequence number of the node's record; 0 if it has none (EIP-868). */
  readonly seq: bigint
  /** Port for connections; permission depends on it. */
  readonly tcpPort: number
}

interface Pending {
  readonly id: Uint8Array
  end(): void
}

interface PendingPing extends Pending {
  readonly promise: Promise<boolean>
  readonly enode: Enode
  succeed(): void
}

interface PendingNodes extends Pending {
  take(nodes: readonly Enode[]): void
}

interface PendingRecord extends Pending {
  take(record: NodeRecord): void
}

/** Implements the packet exchange of discovery v4. */
export function createExchange(parts: ExchangeParts): Exchange {
  const { key, clock } = parts
  /** Of nodes that have answered, and of those that only asked: of these there may be any number. */
  const bonds = createRecentMap<string, Bond>(maxBonds)
  const claims = createRecentMap<string, Bond>(maxBonds)
  /** By hash of the packet that is to be answered. */
  const pings = new Map<string, PendingPing>()
  const records = new Map<string, PendingRecord>()
  /** By node ID. */
  const pingsById = new Map<string, PendingPing>()
  const lookups = new Map<string, PendingNodes>()
  const requests = new Map<string, Promise<NodeRecord | undefined>>()
  let stopped = false

  const now = () => Math.floor(clock.now() / 1000)
  const bondKey = (id: Uint8Array, ip: string, port: number) => `${keyOf(id)}${ip} ${port}`
  const isFresh = (time: number | undefined) => time !== undefined && clock.now() - time < bondLifetime

  function post(message: DiscoveryMessage, to: NodeEndpoint): Hash32 {
    const { bytes, hash } = encodePacket(message, key)
    parts.send(bytes, to)
    return hash
  }

  function bondOf(enode: Enode): Bond | undefined {
    const at = bondKey(enode.id, enode.ip, enode.udpPort)
    return bonds.use(at) ?? claims.get(at)
  }

  function note(enode: Enode, change: Partial<Bond>): void {
    const past = Number.NEGATIVE_INFINITY
    const known = bondOf(enode) ?? { answered: past, asked: past, seq: 0n, tcpPort: enode.tcpPort }
    const bond = { ...known, ...change }
    const at = bondKey(enode.id, enode.ip, enode.udpPort)
    if (!isFresh(bond.answered)) {
      claims.set(at, bond)
      return
    }
    claims.delete(at)
    bonds.set(at, bond)
  }

  function isBonded(enode: Enode): boolean {
    return isFresh(bondOf(enode)?.answered)
  }

  function ping(enode: Enode): Promise<boolean> {
    const known = pingsById.get(keyOf(enode.id))
    if (known) return known.promise
    if (stopped || pings.size >= maxPending || !parts.isAllowed(enode)) return Promise.resolve(false)
    const expires = now() + expiry
    const hash = post({ type: 'ping', from: parts.self(), to: enode, expires, seq: parts.record().seq }, enode)
    let settle: (answered: boolean) => void = () => undefined
    const promise = new Promise<boolean>((resolve) => (settle = resolve))
    const finish = (answered: boolean) => {
      cancel()
      pings.delete(keyOf(hash))
      pingsById.delete(keyOf(enode.id))
      settle(answered)
    }
    const cancel = clock.after(answerTimeout, () => finish(false))
    const pending = { id: enode.id, enode, promise, end: () => finish(false), succeed: () => finish(true) }
    pings.set(keyOf(hash), pending)
    pingsById.set(keyOf(enode.id), pending)
    return promise
  }

  function onPing(message: DiscoveryMessage & { type: 'ping' }, { id, hash }: Packet, ip: string, port: number): void {
    const enode: Enode = { id, ip, udpPort: port, tcpPort: message.from.tcpPort || port }
    if (!parts.isAllowed(enode)) return
    post({ type: 'pong', to: enode, ping: hash, expires: now() + expiry, seq: parts.record().seq }, enode)
    note(enode, { asked: clock.now(), seq: message.seq, tcpPort: enode.tcpPort })
    if (isBonded(enode)) parts.onBonded(enode)
    else void ping(enode)
  }

  function onPong(message: DiscoveryMessage & { type: 'pong' }, { id }: Packet, ip: string, port: number): void {
    const pending = pings.get(keyOf(message.ping))
    if (!pending || !equalBytes(pending.id, id) || pending.enode.ip !== ip || pending.enode.udpPort !== port) return
    note(pending.enode, { answered: clock.now(), seq: message.seq })
    parts.onBonded(pending.enode)
    pending.succeed()
  }

  function onFindNode(target: Uint8Array, asker: Enode): void {
    const nodes = parts.closest(target).filter((node) => !equalBytes(node.id, asker.id))
    const expires = now() + expiry
    let at = 0
    do {
      post({ type: 'neighbors', nodes: nodes.slice(at, at + neighborsPerPacket), expires }, asker)
      at += neighborsPerPacket
    } while (at < nodes.length)
  }

  /** Registers a pending response, which times out. */
  function wait<T>(pending: Map<string, T & Pending>, at: string, make: (finish: () => void) => T & Pending): void {
    const finish = () => {
      cancel()
      pending.delete(at)
    }
    const entry = make(finish)
    const cancel = clock.after(answerTimeout, () => entry.end())
    pending.set(at, entry)
  }

  /** Waits for the node's own ping: until it has verified our endpoint, it answers only pings. */
  async function awaitPingBack(enode: Enode): Promise<void> {
    if (!isFresh(bondOf(enode)?.asked)) await new Promise<void>((resolve) => void clock.after(pingBackTime, resolve))
  }

  async function findNode(enode: Enode, target: Uint8Array): Promise<readonly Enode[]> {
    await awaitPingBack(enode)
    const at = keyOf(enode.id)
    if (stopped || lookups.has(at) || !parts.isAllowed(enode)) return []
    return new Promise((resolve) => {
      const found: Enode[] = []
      wait(lookups, at, (finish) => {
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
      post({ type: 'findNode', target, expires: now() + expiry }, enode)
    })
  }

  /** Requests within the same second are identical for all nodes, so the hash alone does not identify a request. */
  const recordKey = (request: Uint8Array, id: Uint8Array) => keyOf(request) + keyOf(id)

  /** Sends at most one request at a time to a node, and none to a node without a record. */
  function requestRecord(enode: Enode): Promise<NodeRecord | undefined> {
    if (bondOf(enode)?.seq === 0n) return Promise.resolve(undefined)
    const at = keyOf(enode.id)
    let request = requests.get(at)
    if (!request) {
      request = askForRecord(enode).finally(() => requests.delete(at))
      requests.set(at, request)
    }
    return request
  }

  async function askForRecord(enode: Enode): Promise<NodeRecord | undefined> {
    await awaitPingBack(enode)
    if (stopped || records.size >= maxPending) return undefined
    return new Promise((resolve) => {
      const hash = post({ type: 'recordRequest', expires: now() + expiry }, enode)
      wait(records, recordKey(hash, enode.id), (finish) => {
        const settle = (record: NodeRecord | undefined) => {
          finish()
          resolve(record)
        }
        return { id: enode.id, end: () => settle(undefined), take: settle }
      })
    })
  }

  function onRecord(message: DiscoveryMessage & { type: 'recordResponse' }, id: Uint8Array): void {
    const pending = records.get(recordKey(message.request, id))
    if (!pending) return
    const record = decodeRecord(message.record)
    if (equalBytes(record.id, id)) pending.take(record)
  }

  return {
    receive(packet, ip, port) {
      const { message, id, hash } = packet
      if ('expires' in message && message.expires < now()) return
      const sender: Enode = { id, ip, udpPort: port, tcpPort: port }
      if (message.type === 'ping') onPing(message, packet, ip, port)
      else if (message.type === 'pong') onPong(message, packet, ip, port)
      else if (message.type === 'neighbors') lookups.get(keyOf(id))?.take(message.nodes)
      else if (message.type === 'recordResponse') onRecord(message, id)
      // An unverified endpoint could be a victim's: it gets no response larger than the request.
      else if (!isBonded(sender) || !parts.isAllowed({ ...sender, tcpPort: bondOf(sender)!.tcpPort })) return
      else if (message.type === 'findNode') onFindNode(message.target, sender)
      else post({ type: 'recordResponse', request: hash, record: parts.record().bytes }, sender)
    },
    ping,
    isBonded,
    findNode,
    requestRecord,
    stop() {
      stopped = true
      for (const pending of [...pings.values(), ...lookups.values(), ...records.values()]) pending.end()
    },
  }
}
