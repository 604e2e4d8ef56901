import type { EthPeer } from '../net/eth/ethPeer.ts'

/** Where a chain stands. */
export interface ChainStand {
  readonly number: bigint
  readonly totalDifficulty: bigint
}

/** A peer whose height is known. */
export type PlacedPeer = EthPeer & { readonly head: { readonly number: bigint } }

/** Whether a peer has a heavier chain than ours, or a longer one whose weight it has not told. */
export function isAhead(peer: EthPeer, local: ChainStand): peer is PlacedPeer {
  const { number, totalDifficulty } = peer.head
  return number !== undefined && (totalDifficulty > local.totalDifficulty || number > local.number)
}

/** The peer with the heaviest chain of those that are ahead, then the longest. */
export function chooseTarget(peers: readonly EthPeer[], local: ChainStand): PlacedPeer | undefined {
  let best: PlacedPeer | undefined
  for (const peer of peers) {
    if (!isAhead(peer, local)) continue
    if (!best || isBetter(peer, best)) best = peer
  }
  return best
}

function isBetter(a: PlacedPeer, b: PlacedPeer): boolean {
  if (a.head.totalDifficulty !== b.head.totalDifficulty) return a.head.totalDifficulty > b.head.totalDifficulty
  return a.head.number > b.head.number
}
