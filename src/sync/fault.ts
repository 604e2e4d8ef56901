import type { EthPeer } from '../net/eth/ethPeer.ts'
import type { DisconnectReason } from '../net/protocol.ts'
import { Fault } from '../primitives/fault.ts'

/** Why a sync ended before it reached the target's head. */
export type SyncFault =
  /** A peer sent something invalid or useless: it is disconnected with the reason `parting`; `block` could not be had, or is invalid. */
  | { code: 'PEER_AT_FAULT'; peer: EthPeer; parting: DisconnectReason; reason: string; block?: bigint | undefined }
  /** The sync has to start again, and no peer is to blame. */
  | { code: 'INTERRUPTED'; reason: string }
  /** The branch of the peers begins with `block`, in the past of which too few states are kept to change to it. */
  | { code: 'BRANCH_TOO_DEEP'; block: bigint; reason: string }
  /** No connected peer has the blocks that are needed; those that should have `block` did not send it. */
  | { code: 'NO_PEER'; block?: bigint; reason?: string }
  /** The node is stopping. */
  | { code: 'STOPPED' }

/** Its message is the reason. */
export class SyncError extends Fault<SyncFault> {
  constructor(at: SyncFault, cause?: unknown) {
    super(at, cause, ('reason' in at && at.reason) || at.code)
  }
}

/** The fault of a peer. */
export function atFault(peer: EthPeer, parting: DisconnectReason, reason: string, cause?: unknown): SyncError {
  return new SyncError({ code: 'PEER_AT_FAULT', peer, parting, reason }, cause)
}

/** The fault of a peer whose chain cannot be followed beyond a block. */
export function stuckAt(block: bigint, peer: EthPeer, parting: DisconnectReason, reason: string, cause?: unknown) {
  return new SyncError({ code: 'PEER_AT_FAULT', peer, parting, reason, block }, cause)
}
