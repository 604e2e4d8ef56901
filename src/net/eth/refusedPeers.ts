import { type Address, keyOf } from '../../primitives/bytes.ts'
import { createRecentMap } from '../../primitives/recentMap.ts'
import type { Clock } from '../../system/clock.ts'
import type { PeerInfo } from '../protocol.ts'

/** A node that is not on this node's chain, as it said itself. */
export interface RefusedPeer {
  readonly address: Address
  readonly reason: string
  /** Whether the operator has named it, and not discovery. */
  readonly isStatic: boolean
}

type Peer = Pick<PeerInfo, 'address' | 'isStatic'>

/** The nodes that were refused lately because they are on another chain. */
export interface RefusedPeers {
  add(peer: Peer, reason: string): void
  /** A node was accepted. */
  forget(peer: Peer): void
  /** Those of the last minutes. */
  list(): readonly RefusedPeer[]
}

const remembered = 256
/** Milliseconds: static nodes are called again at least every few minutes. */
const lasts = 300_000

export function createRefusedPeers(clock: Clock): RefusedPeers {
  const refused = createRecentMap<string, RefusedPeer & { readonly at: number }>(remembered)
  return {
    add: ({ address, isStatic }, reason) => refused.set(keyOf(address), { address, reason, isStatic, at: clock.now() }),
    forget: ({ address }) => void refused.delete(keyOf(address)),
    list: () => [...refused.values()].flatMap(({ at, ...peer }) => (Math.abs(clock.now() - at) < lasts ? [peer] : [])),
  }
}
