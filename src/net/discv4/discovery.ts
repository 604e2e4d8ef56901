import type { NodeKey } from '../../keys/nodeIdentity.ts'
import { equalBytes, keyOf } from '../../primitives/bytes.ts'
import { Fault } from '../../primitives/fault.ts'
import { keccak256 } from '../../primitives/keccak.ts'
import type { Clock } from '../../system/clock.ts'
import type { Logger } from '../../system/logger.ts'
import type { Enode } from '../enode.ts'
import type { NodeRecord } from '../enr.ts'
import { isLoopback, isUsableIp } from '../ip.ts'
import type { Random } from '../rlpx/handshake.ts'
import { createExchange } from './exchange.ts'
import { decodePacket, type NodeEndpoint } from './packet.ts'
import { createPacketBudget } from './packetBudget.ts'
import { bucketSize, compareDistance, createNodeTable } from './table.ts'

export interface DiscoveryParts {
  readonly key: NodeKey
  readonly clock: Clock
  readonly random: Random
  readonly log: Logger
  self(): Enode
  /** Returns this node's current record. */
  record(): { readonly seq: bigint; readonly bytes: Uint8Array }
  send(bytes: Uint8Array, to: NodeEndpoint): void
  isAllowed(enode: Enode): boolean
  /** Whether more peers are wanted. */
  wantsPeers(): boolean
  onFound(enode: Enode): void
}

/** Finds other nodes over UDP (discovery v4). */
export interface Discovery {
  start(bootnodes: readonly Enode[]): void
  stop(): void
  /** Handles a datagram. */
  receive(bytes: Uint8Array, ip: string, port: number): void
  /** Bonds with a node, and retries if it does not answer. */
  bond(enode: Enode): void
  /** Stops trying to bond with a node. */
  release(id: Uint8Array): void
  /** Nodes that answered, in no particular order. */
  nodes(): readonly Enode[]
  requestRecord(enode: Enode): Promise<NodeRecord | undefined>
  /** Removes nodes that are no longer allowed. */
  purge(): void
}

/** Concurrent requests of a lookup. */
const concurrency = 3
const firstRefresh = 2_000
const refreshInterval = 30_000
const idleRefreshInterval = 30 * 60_000
const revalidateInterval = 10_000
const retries = 5
const retryDelay = 2_000
const growth = 1.5

const bondTimer = (id: Uint8Array) => `bond ${keyOf(id)}`

/** The table of nodes that answer, and the rounds of questions that fill it. */
class NodeDiscovery implements Discovery {
  private readonly parts: DiscoveryParts
  private readonly ownId: Uint8Array
  private readonly table: ReturnType<typeof createNodeTable>
  private readonly timers = new Map<string, () => void>()
  private bootnodes: readonly Enode[] = []
  private interval = firstRefresh
  private refreshed = Number.NEGATIVE_INFINITY
  private stopped = false
  private readonly budget: ReturnType<typeof createPacketBudget>
  private readonly exchange: ReturnType<typeof createExchange>
  readonly nodes: Discovery['nodes']
  readonly requestRecord: Discovery['requestRecord']

  constructor(parts: DiscoveryParts) {
    this.parts = parts
    this.ownId = parts.self().id
    this.table = createNodeTable(this.ownId)
    this.budget = createPacketBudget(parts.clock)
    this.exchange = createExchange({
      key: parts.key,
      clock: parts.clock,
      self: parts.self,
      record: parts.record,
      send: parts.send,
      isAllowed: parts.isAllowed,
      closest: (target) => this.table.closest(keccak256(target), bucketSize).filter(parts.isAllowed),
      onBonded: (enode) => {
        this.table.add(enode)
        this.budget.know(enode.ip)
        parts.onFound(enode)
      },
    })
    this.nodes = this.table.nodes
    this.requestRecord = this.exchange.requestRecord
  }

  private after(name: string, delay: number, action: () => void): void {
    this.timers.get(name)?.()
    if (!this.stopped) this.timers.set(name, this.parts.clock.after(delay, action))
  }

  readonly bond = (enode: Enode, attempt = 0): void => {
    if (enode.udpPort === 0 || equalBytes(enode.id, this.ownId)) return
    void this.exchange.ping(enode).then((answered) => {
      if (answered || attempt === retries) return
      this.after(bondTimer(enode.id), retryDelay * growth ** attempt, () => this.bond(enode, attempt + 1))
    })
  }

  /** Whether an endpoint reported by another node is believable. */
  private isPlausible(enode: Enode, teller: Enode): boolean {
    if (enode.udpPort === 0 || equalBytes(enode.id, this.ownId) || !isUsableIp(enode.ip)) return false
    if (isLoopback(enode.ip) && !isLoopback(teller.ip)) return false
    return this.parts.isAllowed(enode)
  }

  /** Asks nodes ever closer to a key for its neighbours; nodes that answer enter the table. */
  private async lookup(target: Uint8Array): Promise<void> {
    const center = keccak256(target)
    const seen = new Set<string>([keyOf(this.ownId)])
    let near = this.table.closest(center, bucketSize)
    for (const node of near) seen.add(keyOf(node.id))
    const asked = new Set<string>()
    for (;;) {
      const next = near.filter(({ id }) => !asked.has(keyOf(id))).slice(0, concurrency)
      if (next.length === 0 || this.stopped) return
      const answers = await Promise.all(
        next.map(async (node) => {
          asked.add(keyOf(node.id))
          const found = await this.exchange.findNode(node, target)
          return found.filter((enode) => this.isPlausible(enode, node))
        }),
      )
      const fresh = answers.flat().filter(({ id }) => !seen.has(keyOf(id)) && seen.add(keyOf(id)))
      const bonded = await Promise.all(fresh.map((enode) => this.exchange.isBonded(enode) || this.exchange.ping(enode)))
      near = [...near, ...fresh.filter((_, i) => bonded[i])]
        .map((enode) => ({ enode, hash: keccak256(enode.id) }))
        .sort((a, b) => compareDistance(center, a.hash, b.hash))
        .slice(0, bucketSize)
        .map(({ enode }) => enode)
    }
  }

  private refresh(target: Uint8Array): void {
    this.interval = Math.min(this.interval * growth, refreshInterval)
    this.after('refresh', this.interval, () => this.refresh(this.parts.random(64)))
    if (!this.parts.wantsPeers() && this.parts.clock.now() - this.refreshed < idleRefreshInterval) return
    this.refreshed = this.parts.clock.now()
    if (this.table.nodes().length === 0) for (const enode of this.bootnodes) this.bond(enode)
    void this.lookup(target).then(() => {
      const nodes = this.table.nodes()
      this.parts.log.debug({ nodes: nodes.length }, 'discovery lookup finished')
      // Nodes that could not be connected when they were found may be ready now.
      if (!this.stopped) for (const enode of nodes) this.parts.onFound(enode)
    })
  }

  /** Pings the node not heard from for longest, so that nodes that left are removed. */
  private readonly revalidate = (): void => {
    const node = this.table.stalest((count) => this.parts.random(1)[0]! % count)
    if (node)
      void this.exchange.ping(node).then(async (answered) => {
        if (!answered && !(await this.exchange.ping(node)) && !this.stopped) this.table.remove(node.id)
      })
    this.after('revalidate', revalidateInterval, this.revalidate)
  }

  readonly start: Discovery['start'] = (given) => {
    this.bootnodes = given
    for (const enode of this.bootnodes) this.bond(enode)
    this.after('refresh', this.interval, () => this.refresh(this.ownId))
    this.after('revalidate', revalidateInterval, this.revalidate)
  }

  readonly stop: Discovery['stop'] = () => {
    this.stopped = true
    for (const cancel of this.timers.values()) cancel()
    this.exchange.stop()
  }

  readonly receive: Discovery['receive'] = (bytes, ip, port) => {
    if (this.stopped || !this.budget.allows(ip)) return
    try {
      this.exchange.receive(decodePacket(bytes), ip, port)
    } catch (error) {
      // A Fault is the sender's; anything else is a bug of ours, which must not stop the node.
      if (error instanceof Fault) this.parts.log.debug({ ip, port, error: error.message }, 'invalid discovery packet')
      else this.parts.log.error({ ip, port, error: String(error) }, 'discovery packet failed')
    }
  }

  readonly release: Discovery['release'] = (id) => this.timers.get(bondTimer(id))?.()

  readonly purge: Discovery['purge'] = () => {
    for (const enode of this.table.nodes()) if (!this.parts.isAllowed(enode)) this.table.remove(enode.id)
  }
}

/** Creates discovery; it sends datagrams with `send` and handles incoming ones in `receive`. */
export function createDiscovery(parts: DiscoveryParts): Discovery {
  return new NodeDiscovery(parts)
}
