import type { SnapRequests, SnapResponses } from '../../net/snap/messages.ts'
import type { Hash32 } from '../../primitives/bytes.ts'
import { Fault } from '../../primitives/fault.ts'
import type { StateDraft } from '../../state/stateDraft.ts'
import { HealPhase } from './healPhase.ts'
import { RangePhase } from './rangePhase.ts'
import type { Phase, Work } from './work.ts'

/** What happens to a download of a state. */
export type SnapEvent<P> =
  | { readonly kind: 'peer'; readonly peer: P }
  | { readonly kind: 'gone'; readonly peer: P }
  /** A response to the request with this number. */
  | { readonly kind: 'response'; readonly id: number; readonly response: SnapResponses[Work['kind']] }
  /** No response has come in time. */
  | { readonly kind: 'timeout'; readonly id: number }
  /** Another state is to be downloaded: that of a later block. */
  | { readonly kind: 'root'; readonly root: Hash32 }

/** What a download wants done. */
export type SnapEffect<P> =
  | {
      readonly kind: 'ask'
      readonly peer: P
      readonly id: number
      readonly what: Work['kind']
      readonly request: SnapRequests[Work['kind']]
    }
  /** The peer lies, or does not answer. */
  | { readonly kind: 'drop'; readonly peer: P; readonly reason: string }
  /** No peer has the state any more. */
  | { readonly kind: 'stale' }
  /** The state is there. */
  | { readonly kind: 'done' }

/** Requests that a peer has at a time: one is answered while another one is under way. */
const maxPerPeer = 2
/** Requests in a row without a response, after which a peer is dropped. */
const maxTimeouts = 3

interface Peer {
  load: number
  timeouts: number
  /** It has said that it does not have the state. */
  isWithout: boolean
}

interface Pending<P> {
  readonly peer: P
  /** Undefined if it was for another state than now. */
  work: Work | undefined
}

/**
 * Downloads a state from several peers, of which any may lie: what is not proven is not written, and who lies is
 * dropped. It knows neither sockets nor time.
 */
export class SnapMachine<P> {
  private readonly draft: StateDraft
  private root: Hash32
  private phase: Phase
  private ranges: RangePhase | undefined
  private readonly peers = new Map<P, Peer>()
  private readonly pending = new Map<number, Pending<P>>()
  private lastId = 0
  private isStale = false
  private isDone = false
  private effects: SnapEffect<P>[] = []

  constructor(draft: StateDraft, root: Hash32) {
    this.draft = draft
    this.root = root
    this.phase = this.ranges = new RangePhase(draft, root)
  }

  handle(event: SnapEvent<P>): readonly SnapEffect<P>[] {
    this.effects = []
    if (!this.isDone) {
      this.take(event)
      this.advance()
    }
    return this.effects
  }

  private take(event: SnapEvent<P>): void {
    switch (event.kind) {
      case 'peer':
        this.peers.set(event.peer, { load: 0, timeouts: 0, isWithout: false })
        return
      case 'gone':
        this.remove(event.peer)
        return
      case 'response':
        this.receive(event.id, event.response)
        return
      case 'timeout':
        this.expire(event.id)
        return
      case 'root':
        this.change(event.root)
    }
  }

  private remove(peer: P): void {
    this.peers.delete(peer)
    for (const [id, request] of this.pending)
      if (request.peer === peer) {
        this.pending.delete(id)
        request.work?.giveBack()
      }
  }

  private drop(peer: P, reason: string): void {
    this.remove(peer)
    this.effects.push({ kind: 'drop', peer, reason })
  }

  /** Takes a request out of those under way. */
  private finish(id: number): { readonly request: Pending<P>; readonly peer: Peer } | undefined {
    const request = this.pending.get(id)
    const peer = request && this.peers.get(request.peer)
    if (!request || !peer) return undefined
    this.pending.delete(id)
    peer.load--
    return { request, peer }
  }

  private receive(id: number, response: SnapResponses[Work['kind']]): void {
    const found = this.finish(id)
    if (!found) return
    const { request, peer } = found
    peer.timeouts = 0
    if (!request.work) return
    try {
      const hasIt = (request.work.receive as (response: unknown) => boolean)(response)
      if (!hasIt) peer.isWithout = true
    } catch (error) {
      if (!(error instanceof Fault)) throw error
      request.work.giveBack()
      this.drop(request.peer, error.message)
    }
  }

  private expire(id: number): void {
    const found = this.finish(id)
    if (!found) return
    const { request, peer } = found
    request.work?.giveBack()
    if (++peer.timeouts >= maxTimeouts) this.drop(request.peer, 'requests timed out')
  }

  private change(root: Hash32): void {
    for (const request of this.pending.values()) request.work = undefined
    for (const peer of this.peers.values()) peer.isWithout = false
    this.root = root
    this.isStale = false
    const partial = this.ranges?.abandon()
    if (this.ranges) this.phase = this.ranges = new RangePhase(this.draft, root, partial)
    else {
      this.phase.abandon()
      this.phase = new HealPhase(this.draft, root)
    }
  }

  private advance(): void {
    if (this.ranges?.isDone()) {
      this.ranges = undefined
      this.phase = new HealPhase(this.draft, this.root)
    }
    if (this.phase.isDone()) {
      this.isDone = true
      this.effects.push({ kind: 'done' })
      return
    }
    for (let peer = this.freePeer(); peer; peer = this.freePeer()) {
      const work = this.phase.next()
      if (!work) return
      const id = ++this.lastId
      this.peers.get(peer)!.load++
      this.pending.set(id, { peer, work })
      this.effects.push({ kind: 'ask', peer, id, what: work.kind, request: work.request })
    }
    this.lookForStale()
  }

  /** The peer with the fewest requests under way. */
  private freePeer(): P | undefined {
    let best: P | undefined
    let least = maxPerPeer
    for (const [peer, { load, isWithout }] of this.peers)
      if (!isWithout && load < least) {
        best = peer
        least = load
      }
    return best
  }

  private lookForStale(): void {
    const peers = [...this.peers.values()]
    if (this.isStale || peers.length === 0 || peers.some(({ isWithout }) => !isWithout)) return
    this.isStale = true
    this.effects.push({ kind: 'stale' })
  }
}
