import type { EthPeer } from './ethPeer.ts'

/** Peers that have completed the eth handshake. */
export interface EthPeers {
  all(): readonly EthPeer[]
  /** Both return a function that unsubscribes. */
  onReady(listener: (peer: EthPeer) => void): () => void
  onGone(listener: (peer: EthPeer) => void): () => void
  add(peer: EthPeer): void
  remove(peer: EthPeer): void
}

export function createEthPeers(): EthPeers {
  const peers = new Set<EthPeer>()
  const ready = new Set<(peer: EthPeer) => void>()
  const gone = new Set<(peer: EthPeer) => void>()

  function listen(to: Set<(peer: EthPeer) => void>, listener: (peer: EthPeer) => void): () => void {
    to.add(listener)
    return () => to.delete(listener)
  }

  return {
    all: () => [...peers],
    onReady: (listener) => listen(ready, listener),
    onGone: (listener) => listen(gone, listener),
    add(peer) {
      peers.add(peer)
      for (const listener of ready) listener(peer)
    },
    remove(peer) {
      if (peers.delete(peer)) for (const listener of gone) listener(peer)
    },
  }
}
