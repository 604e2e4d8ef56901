import type { EthPeer } from '../net/eth/ethPeer.ts'

/** Height and total difficulty of a chain. */
export interface ChainHead {
  readonly number: bigint
  readonly totalDifficulty: bigint
}

/** A peer whose height is known. */
export type PlacedPeer = EthPeer & { readonly head: { readonly number: bigint } }

/** Whether a peer's chain has more total difficulty than ours, or is longer: what it announces may lag behind. */
export function isAhead(peer: EthPeer, local: ChainHead): peer is PlacedPeer {
  const { number, totalDifficulty } = peer.head
  return number !== undefined && (totalDifficulty > local.totalDifficulty || number > local.number)
}

/** Of the peers that are ahead, the one with the most total difficulty, then with the longest chain. */
export function chooseTarget(peers: readonly EthPeer[], local: ChainHead): PlacedPeer | undefined {
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
