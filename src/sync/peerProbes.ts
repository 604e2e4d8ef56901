import type { EthPeer } from '../net/eth/ethPeer.ts'
import { type Address, equalBytes } from '../primitives/bytes.ts'
import type { SyncParts } from './syncParts.ts'

export interface PeerProbesParts extends Pick<SyncParts, 'peers' | 'clock' | 'log'> {
  /** Number of this node's head. */
  head(): bigint
  /** A peer has a block that is missing here. */
  onAhead(): void
}

/** Milliseconds between two probes of one peer. */
const probeEvery = 2000

/** Returns what asks a peer for the block after the head: peers do not say by themselves how far they are. */
export function createPeerProbes({ peers, clock, log, head, onAhead }: PeerProbesParts): (address: Address) => void {
  /** Peers that were asked lately whether they have blocks that are missing here. */
  const probed = new WeakSet<EthPeer>()

  async function probe(peer: EthPeer): Promise<void> {
    probed.add(peer)
    clock.after(probeEvery, () => probed.delete(peer))
    try {
      const [next] = await peer.headers({ start: head() + 1n, count: 1, skip: 0, reverse: false })
      if (!next) return
      peer.raiseNumber(next.header.number)
      onAhead()
    } catch (error) {
      log.debug({ peer: peer.info.remote, error: String(error) }, 'peer did not say whether it is ahead')
    }
  }

  return (address) => {
    for (const peer of peers.all()) if (equalBytes(peer.info.address, address) && !probed.has(peer)) void probe(peer)
  }
}
