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

/** Whom to call next, and how long to leave those alone that did not answer. */
class PeerDialer implements Dialer {
  private readonly parts: DialerParts
  private readonly statics = new Map<string, Static>()
  private readonly offers = new Map<string, Enode>()
  private readonly dialled = createRecentMap<string, number>(4 * maxOffers)
  private cancel: (() => void) | undefined
  readonly start: Dialer['start']

  constructor(parts: DialerParts) {
    this.parts = parts
    this.start = this.loop
  }

  /** Grows with each failure; random, so that two nodes do not keep dialling each other simultaneously. */
  private delay(failures: number): number {
    const base = Math.min(maxDelay, firstDelay * 2 ** failures)
    return base * (0.75 + this.parts.random(1)[0]! / 512)
  }

  private callStatics(): void {
    const now = this.parts.clock.now()
    for (const node of this.statics.values()) {
      if (node.due > now || this.parts.isConnected(node.enode.id) || !this.parts.isAllowed(node.enode)) continue
      node.due = now + this.delay(node.failures++)
      this.parts.dial(node.enode)
    }
  }

  private callOffers(): void {
    const now = this.parts.clock.now()
    for (const [key, enode] of this.offers) {
      if (this.parts.freeSlots() <= 0) return
      this.offers.delete(key)
      if (this.parts.isConnected(enode.id) || !this.parts.isAllowed(enode)) continue
      if (now - (this.dialled.get(key) ?? Number.NEGATIVE_INFINITY) < dialGap) continue
      this.dialled.set(key, now)
      this.parts.dial(enode)
    }
  }

  private run(): void {
    this.callStatics()
    this.callOffers()
  }

  private readonly loop = (): void => {
    this.run()
    this.cancel = this.parts.clock.after(tick, this.loop)
  }

  readonly stop: Dialer['stop'] = () => {
    this.cancel?.()
    this.cancel = undefined
  }

  readonly addStatic: Dialer['addStatic'] = (enode) => {
    const key = keyOf(enode.id)
    const known = this.statics.get(key)
    if (known && known.enode.ip === enode.ip && known.enode.tcpPort === enode.tcpPort) return false
    this.statics.set(key, { enode, failures: 0, due: Number.NEGATIVE_INFINITY })
    if (this.cancel) this.callStatics()
    return true
  }

  readonly removeStatic: Dialer['removeStatic'] = (id) => this.statics.delete(keyOf(id))

  readonly isStatic: Dialer['isStatic'] = (id) => this.statics.has(keyOf(id))

  readonly offer: Dialer['offer'] = (enode) => {
    if (enode.tcpPort === 0) return
    if (this.offers.size >= maxOffers) this.offers.delete(this.offers.keys().next().value!)
    this.offers.set(keyOf(enode.id), enode)
    if (this.cancel) this.callOffers()
  }

  readonly onLost: Dialer['onLost'] = (id, lasted) => {
    const node = this.statics.get(keyOf(id))
    if (!node) return
    // Peers that disconnect right away are dialled again after a longer delay.
    if (lasted >= lastingTime) node.failures = 0
    node.due = Math.max(node.due, this.parts.clock.now() + this.delay(node.failures))
  }
}

/** Creates a dialer, which does nothing before it is started. */
export function createDialer(parts: DialerParts): Dialer {
  return new PeerDialer(parts)
}
