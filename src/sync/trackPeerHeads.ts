import type { Chain } from '../chain/chain.ts'
import type { EthPeer } from '../net/eth/ethPeer.ts'
import type { EthPeers } from '../net/eth/ethPeers.ts'

/**
 * Finds out the height of each new peer, which its status does not contain. A peer that does not send the header of its
 * own best block is disconnected. Returns a function that stops it.
 */
export function trackPeerHeads(
  peers: EthPeers,
  chain: Pick<Chain, 'read'>,
  onKnown: (peer: EthPeer) => void,
): () => void {
  async function findHeight(peer: EthPeer): Promise<bigint | undefined> {
    const known = chain.read((view) => view.headerBy(peer.status.bestHash)?.header.number)
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
