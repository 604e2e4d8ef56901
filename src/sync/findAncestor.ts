import type { ChainView, HashedHeader } from '../chain/view.ts'
import type { EthPeer } from '../net/eth/ethPeer.ts'
import { atFault } from './fault.ts'

/** Headers in the first look back: most branches are shorter. */
const firstLook = 192

/** The highest block of a peer's chain that we have as well. */
export async function findAncestor(peer: EthPeer, view: () => ChainView): Promise<HashedHeader> {
  function known(headers: readonly HashedHeader[]): HashedHeader | undefined {
    const chain = view()
    try {
      return headers.find(({ hash }) => chain.headerBy(hash))
    } finally {
      chain.close()
    }
  }

  async function look(start: bigint, count: number): Promise<HashedHeader[]> {
    const headers = await peer.headers({ start, count, skip: 0, reverse: true })
    if (headers.length === 0) throw atFault(peer, 'uselessPeer', `it does not show its block ${start}`)
    return headers
  }

  const chain = view()
  const own = chain.head.header.number
  chain.close()
  const height = peer.head.number ?? 0n
  const top = own < height ? own : height
  const near = known(await look(top, firstLook))
  if (near) return near

  // Both chains begin with the same block and part once: halve the stretch in which they do.
  let low = 0n
  let high = top - BigInt(firstLook)
  let found: HashedHeader | undefined
  while (low <= high) {
    const middle = (low + high) >> 1n
    const hit = known(await look(middle, 1))
    if (hit) {
      found = hit
      low = middle + 1n
    } else high = middle - 1n
  }
  if (!found) throw atFault(peer, 'breachOfProtocol', 'its chain does not begin with our genesis block')
  return found
}
