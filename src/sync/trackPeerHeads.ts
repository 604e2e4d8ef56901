import type { Chain } from '../chain/chain.ts'
import type { EthPeer } from '../net/eth/ethPeer.ts'
import type { EthPeers } from '../net/eth/ethPeers.ts'

/**
 * Finds out the height of each new peer, which its status does not tell. One that cannot show the block that it claims
 * to have is let go.
 */
export function trackPeerHeads(
  peers: EthPeers,
  chain: Pick<Chain, 'view'>,
  onKnown: (peer: EthPeer) => void,
): () => void {
  async function findHeight(peer: EthPeer): Promise<bigint | undefined> {
    const view = chain.view()
    const known = view.headerBy(peer.status.bestHash)?.header.number
    view.close()
    if (known !== undefined) return known
    const [best] = await peer.headers({ start: peer.status.bestHash, count: 1, skip: 0, reverse: false })
    return best?.header.number
  }

  return peers.onReady((peer) => {
    findHeight(peer).then(
      (number) => {
        if (number === undefined) {
          peer.disconnect('uselessPeer')
          return
        }
        peer.raiseHead({ hash: peer.status.bestHash, totalDifficulty: peer.status.totalDifficulty, number })
        onKnown(peer)
      },
      () => peer.disconnect('uselessPeer'),
    )
  })
}
