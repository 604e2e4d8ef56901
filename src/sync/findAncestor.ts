import type { Chain } from '../chain/chain.ts'
import type { HashedHeader } from '../chain/view.ts'
import type { EthPeer } from '../net/eth/ethPeer.ts'
import { atFault } from './fault.ts'

/** Headers of the first request: most branches are shorter. */
const firstLook = 192

/** The highest block that a peer's chain and ours, which ends with `last`, have in common. */
export async function findAncestor(
  peer: EthPeer,
  chain: Pick<Chain, 'read'>,
  last: HashedHeader,
): Promise<HashedHeader> {
  const known = (headers: readonly HashedHeader[]): HashedHeader | undefined =>
    chain.read((view) => headers.find(({ hash }) => view.headerBy(hash)))

  async function look(start: bigint, count: number): Promise<HashedHeader[]> {
    const headers = await peer.headers({ start, count, skip: 0, reverse: true })
    if (headers.length === 0) throw atFault(peer, 'uselessPeer', `it does not send header ${start}`)
    return headers
  }

  const own = last.header.number
  const height = peer.head.number ?? 0n
  const top = own < height ? own : height
  const near = known(await look(top, firstLook))
  if (near) return near

  // Both chains begin with the same block and diverge once: a binary search finds where.
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
  if (!found) throw atFault(peer, 'breachOfProtocol', 'its chain starts from another genesis block')
  return found
}
