import { setImmediate } from 'node:timers/promises'
import type { Chain } from '../../chain/chain.ts'
import type { HeaderTrust } from '../../consensus/headerTrust.ts'
import { BlockError } from '../../execution/fault.ts'
import type { EthPeer } from '../../net/eth/ethPeer.ts'
import type { EthPeers } from '../../net/eth/ethPeers.ts'
import { downloadHeaders } from '../downloadBlocks.ts'
import { atFault, SyncError } from '../fault.ts'
import { findAncestor } from '../findAncestor.ts'
import { faultsOfSeals } from '../importDownloaded.ts'
import { createPeerSlots } from '../peerSlots.ts'

export interface FollowHeadersParts {
  readonly chain: Pick<Chain, 'head' | 'read' | 'lastHeader' | 'importHeaders'>
  readonly peers: EthPeers
  readonly trust: HeaderTrust
  isStopped(): boolean
  /** Called often. */
  onHeaders(): void
}

/** Makes the headers ahead of the head those of a peer's chain, up to `height`; each is checked. */
export async function followHeaders(target: EthPeer, height: bigint, parts: FollowHeadersParts): Promise<void> {
  const { chain, peers, trust, isStopped, onHeaders } = parts
  const ancestor = await findAncestor(target, chain, chain.lastHeader())
  if (ancestor.header.number < chain.head().header.number)
    throw atFault(target, 'uselessPeer', 'its chain has another past than ours')
  const slots = createPeerSlots(peers)
  try {
    const from = { number: ancestor.header.number, hash: ancestor.hash }
    for await (const { headers, from: sender } of downloadHeaders(target, from, height, slots)) {
      try {
        chain.importHeaders(headers, trust.check)
      } catch (error) {
        throw error instanceof BlockError ? blame(error, sender, target) : error
      }
      onHeaders()
      // Sockets and timers are served only between turns of the event loop.
      await setImmediate()
      if (isStopped()) throw new SyncError({ code: 'STOPPED' })
    }
  } finally {
    slots.close()
  }
}

/** The seals of a header may have been altered by whoever sent it; all else is the target's. */
function blame(error: BlockError, sender: EthPeer, target: EthPeer): SyncError {
  const { code } = error.at
  // Our clock may be slow.
  if (code === 'TIMESTAMP_IN_FUTURE') return new SyncError({ code: 'INTERRUPTED', reason: error.message }, error)
  const culprit = faultsOfSeals.has(code) ? sender : target
  return atFault(culprit, 'breachOfProtocol', `a header is invalid: ${error.message}`, error)
}
