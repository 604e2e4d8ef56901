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
  readonly key: Uint8Array
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

/** Creates discovery; it sends datagrams with `send` and handles incoming ones in `receive`. */
export function createDiscovery(parts: DiscoveryParts): Discovery {
  const { clock, random, log } = parts
  const ownId = parts.self().id
  const table = createNodeTable(ownId)
  const timers = new Map<string, () => void>()
  let bootnodes: readonly Enode[] = []
  let interval = firstRefresh
  let refreshed = Number.NEGATIVE_INFINITY
  let stopped = false
  const budget = createPacketBudget(clock)

  const exchange = createExchange({
    key: parts.key,
    clock,
    self: parts.self,
    record: parts.record,
    send: parts.send,
    isAllowed: parts.isAllowed,
    closest: (target) => table.closest(keccak256(target), bucketSize).filter(parts.isAllowed),
    onBonded(enode) {
      table.add(enode)
      budget.know(enode.ip)
      parts.onFound(enode)
    },
  })

  function after(name: string, delay: number, action: () => void): void {
    timers.get(name)?.()
    if (!stopped) timers.set(name, clock.after(delay, action))
  }

  const bondTimer = (id: Uint8Array) => `bond ${keyOf(id)}`

  function bond(enode: Enode, attempt = 0): void {
    if (enode.udpPort === 0 || equalBytes(enode.id, ownId)) return
    void exchange.ping(enode).then((answered) => {
      if (answered || attempt === retries) return
      after(bondTimer(enode.id), retryDelay * growth ** attempt, () => bond(enode, attempt + 1))
    })
  }

  /** Whether an endpoint reported by another node is believable. */
  function isPlausible(enode: Enode, teller: Enode): boolean {
    if (enode.udpPort === 0 || equalBytes(enode.id, ownId) || !isUsableIp(enode.ip)) return false
    if (isLoopback(enode.ip) && !isLoopback(teller.ip)) return false
    return parts.isAllowed(enode)
  }

  /** Asks nodes ever closer to a key for its neighbours; nodes that answer enter the table. */
  async function lookup(target: Uint8Array): Promise<void> {
    const center = keccak256(target)
    const seen = new Set<string>([keyOf(ownId)])
    let near = table.closest(center, bucketSize)
    for (const node of near) seen.add(keyOf(node.id))
    const asked = new Set<string>()
    for (;;) {
      const next = near.filter(({ id }) => !asked.has(keyOf(id))).slice(0, concurrency)
      if (next.length === 0 || stopped) return
      const answers = await Promise.all(
        next.map(async (node) => {
          asked.add(keyOf(node.id))
          const found = await exchange.findNode(node, target)
          return found.filter((enode) => isPlausible(enode, node))
        }),
      )
      const fresh = answers.flat().filter(({ id }) => !seen.has(keyOf(id)) && seen.add(keyOf(id)))
      const bonded = await Promise.all(fresh.map((enode) => exchange.isBonded(enode) || exchange.ping(enode)))
      near = [...near, ...fresh.filter((_, i) => bonded[i])]
        .map((enode) => ({ enode, hash: keccak256(enode.id) }))
        .sort((a, b) => compareDistance(center, a.hash, b.hash))
        .slice(0, bucketSize)
        .map(({ enode }) => enode)
    }
  }

  function refresh(target: Uint8Array): void {
    interval = Math.min(interval * growth, refreshInterval)
    after('refresh', interval, () => refresh(random(64)))
    if (!parts.wantsPeers() && clock.now() - refreshed < idleRefreshInterval) return
    refreshed = clock.now()
    if (table.nodes().length === 0) for (const enode of bootnodes) bond(enode)
    void lookup(target).then(() => {
      const nodes = table.nodes()
      log.debug({ nodes: nodes.length }, 'discovery lookup finished')
      // Nodes that could not be connected when they were found may be ready now.
      if (!stopped) for (const enode of nodes) parts.onFound(enode)
    })
  }

  /** Pings the node not heard from for longest, so that nodes that left are removed. */
  function revalidate(): void {
    const node = table.stalest((count) => random(1)[0]! % count)
    if (node)
      void exchange.ping(node).then(async (answered) => {
        if (!answered && !(await exchange.ping(node)) && !stopped) table.remove(node.id)
      })
    after('revalidate', revalidateInterval, revalidate)
  }

  return {
    start(given) {
      bootnodes = given
      for (const enode of bootnodes) bond(enode)
      after('refresh', interval, () => refresh(ownId))
      after('revalidate', revalidateInterval, revalidate)
    },
    stop() {
      stopped = true
      for (const cancel of timers.values()) cancel()
      exchange.stop()
    },
    receive(bytes, ip, port) {
      if (stopped || !budget.allows(ip)) return
      try {
        exchange.receive(decodePacket(bytes), ip, port)
      } catch (error) {
        // A Fault is the sender's; anything else is a bug of ours, which must not stop the node.
        if (error instanceof Fault) log.debug({ ip, port, error: error.message }, 'invalid discovery packet')
        else log.error({ ip, port, error: String(error) }, 'discovery packet failed')
      }
    },
    bond: (enode) => bond(enode),
    release: (id) => timers.get(bondTimer(id))?.(),
    nodes: table.nodes,
    requestRecord: exchange.requestRecord,
    purge() {
      for (const enode of table.nodes()) if (!parts.isAllowed(enode)) table.remove(enode.id)
    },
  }
}
