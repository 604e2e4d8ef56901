import type { Closing } from '../protocol.ts'
import type { EthPeer } from './ethPeer.ts'

/** Peers that have completed the eth handshake. */
export interface EthPeers {
  all(): readonly EthPeer[]
  /** Both return a function that unsubscribes. */
  onReady(listener: (peer: EthPeer) => void): () => void
  onGone(listener: (peer: EthPeer, closing?: Closing) => void): () => void
  add(peer: EthPeer): void
  /** `closing` says how the connection was closed; undefined if it is still open. */
  remove(peer: EthPeer, closing?: Closing): void
}

export function createEthPeers(): EthPeers {
  const peers = new Set<EthPeer>()
  const ready = new Set<(peer: EthPeer) => void>()
  const gone = new Set<(peer: EthPeer, closing?: Closing) => void>()

  function listen<L>(to: Set<L>, listener: L): () => void {
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
    remove(peer, closing) {
      if (peers.delete(peer)) for (const listener of gone) listener(peer, closing)
    },
  }
}
