import { keyOf } from '../../primitives/bytes.ts'
import { createRecentMap } from '../../primitives/recentMap.ts'
import type { Clock } from '../../system/clock.ts'
import type { Enode } from '../enode.ts'
import type { Random } from '../rlpx/handshake.ts'

export interface DialerParts {
  readonly clock: Clock
  readonly random: Random
  /** Whether the node is connected or being dialled. */
  isConnected(id: Uint8Array): boolean
  /** Whether the node may be dialled. */
  isAllowed(enode: Enode): boolean
  /** How many discovered nodes may be dialled now. */
  freeSlots(): number
  dial(enode: Enode): void
}

/** Decides which nodes to dial, and when. */
export interface Dialer {
  start(): void
  stop(): void
  /** Adds a node to stay connected with; returns false if it was added before. */
  addStatic(enode: Enode): boolean
  removeStatic(id: Uint8Array): boolean
  isStatic(id: Uint8Array): boolean
  /** Offers a discovered node. */
  offer(enode: Enode): void
  /** Must be called when a connection is lost; `lasted` is its duration in milliseconds. */
  onLost(id: Uint8Array, lasted: number): void
}

interface Static {
  enode: Enode
  failures: number
  due: number
}

const tick = 1_000
const firstDelay = 2_000
const maxDelay = 60_000
/** Minimum milliseconds between two dials of a discovered node. */
const dialGap = 30_000
const lastingTime = 30_000
const maxOffers = 256

/** Creates a dialer, which does nothing before it is started. */
export function createDialer(parts: DialerParts): Dialer {
  const { clock } = parts
  const statics = new Map<string, Static>()
  const offers = new Map<string, Enode>()
  const dialled = createRecentMap<string, number>(4 * maxOffers)
  let cancel: (() => void) | undefined

  /** Grows with each failure; random, so that two nodes do not keep dialling each other simultaneously. */
  function delay(failures: number): number {
    const base = Math.min(maxDelay, firstDelay * 2 ** failures)
    return base * (0.75 + parts.random(1)[0]! / 512)
  }

  function callStatics(): void {
    const now = clock.now()
    for (const node of statics.values()) {
      if (node.due > now || parts.isConnected(node.enode.id) || !parts.isAllowed(node.enode)) continue
      node.due = now + delay(node.failures++)
      parts.dial(node.enode)
    }
  }

  function callOffers(): void {
    const now = clock.now()
    for (const [key, enode] of offers) {
      if (parts.freeSlots() <= 0) return
      offers.delete(key)
      if (parts.isConnected(enode.id) || !parts.isAllowed(enode)) continue
      if (now - (dialled.get(key) ?? Number.NEGATIVE_INFINITY) < dialGap) continue
      dialled.set(key, now)
      parts.dial(enode)
    }
  }

  function run(): void {
    callStatics()
    callOffers()
  }

  function loop(): void {
    run()
    cancel = clock.after(tick, loop)
  }

  return {
    start: loop,
    stop() {
      cancel?.()
      cancel = undefined
    },
    addStatic(enode) {
      const key = keyOf(enode.id)
      const known = statics.get(key)
      if (known && known.enode.ip === enode.ip && known.enode.tcpPort === enode.tcpPort) return false
      statics.set(key, { enode, failures: 0, due: Number.NEGATIVE_INFINITY })
      if (cancel) callStatics()
      return true
    },
    removeStatic: (id) => statics.delete(keyOf(id)),
    isStatic: (id) => statics.has(keyOf(id)),
    offer(enode) {
      if (enode.tcpPort === 0) return
      if (offers.size >= maxOffers) offers.delete(offers.keys().next().value!)
      offers.set(keyOf(enode.id), enode)
      if (cancel) callOffers()
    },
    onLost(id, lasted) {
      const node = statics.get(keyOf(id))
      if (!node) return
      // Peers that disconnect right away are dialled again after a longer delay.
      if (lasted >= lastingTime) node.failures = 0
      node.due = Math.max(node.due, clock.now() + delay(node.failures))
    },
  }
}
