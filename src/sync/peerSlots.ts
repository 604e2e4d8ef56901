import type { EthPeer } from '../net/eth/ethPeer.ts'
import type { EthPeers } from '../net/eth/ethPeers.ts'
import { SyncError } from './fault.ts'

/** Which peers can serve a request. */
export interface Need {
  /** The peer must have this block; requests for lower blocks go first. */
  readonly height: bigint
  readonly excluded: ReadonlySet<EthPeer>
  /** If set, the only peer that can serve it. */
  readonly only: EthPeer | undefined
}

interface Waiting {
  readonly need: Need
  readonly go: (peer: EthPeer) => void
  readonly fail: (error: SyncError) => void
}

/** Requests that one peer serves at a time. */
const maxPerPeer = 4

/** Spreads requests over the peers: each goes to the peer with the fewest requests under way. */
export interface PeerSlots {
  /** Calls `action` with a suitable peer as soon as one is free; fails with NO_PEER if there is none, with STOPPED after `close`. */
  use<T>(need: Need, action: (peer: EthPeer) => Promise<T>): Promise<T>
  /** Fails everything that waits. */
  close(): void
}

/** What waits at the same peers, each for its own purpose: a request that ends for one of them makes room for all. */
const sharing = new WeakMap<EthPeers, Set<() => void>>()

/** Slots of all peers that are connected, now or later. */
export function createPeerSlots(peers: EthPeers): PeerSlots {
  const waiting: Waiting[] = []
  let closed = false

  function candidates({ height, excluded, only }: Need): EthPeer[] {
    const all = only ? peers.all().filter((peer) => peer === only) : peers.all()
    return all.filter((peer) => (peer.head.number ?? -1n) >= height && !excluded.has(peer))
  }

  function serve(): void {
    for (let i = 0; i < waiting.length; ) {
      const { need, go, fail } = waiting[i]!
      const able = candidates(need)
      const free = able.filter((peer) => peer.load() < maxPerPeer)
      if (able.length > 0 && free.length === 0) {
        i++
        continue
      }
      waiting.splice(i, 1)
      if (able.length === 0) fail(new SyncError({ code: 'NO_PEER' }))
      else go(free.reduce((a, b) => (b.load() < a.load() ? b : a)))
    }
  }

  const end = peers.onGone(serve)
  const all = sharing.get(peers) ?? new Set()
  sharing.set(peers, all.add(serve))

  return {
    async use(need, action) {
      if (closed) throw new SyncError({ code: 'STOPPED' })
      const peer = await new Promise<EthPeer>((go, fail) => {
        const at = waiting.findIndex((other) => other.need.height > need.height)
        waiting.splice(at < 0 ? waiting.length : at, 0, { need, go, fail })
        serve()
      })
      try {
        return await action(peer)
      } finally {
        for (const serveOther of [...all]) serveOther()
      }
    },
    close() {
      closed = true
      all.delete(serve)
      end()
      for (const { fail } of waiting.splice(0)) fail(new SyncError({ code: 'STOPPED' }))
    },
  }
}
