import type { EthPeer } from '../net/eth/ethPeer.ts'
import type { DisconnectReason } from '../net/protocol.ts'
import { Fault } from '../primitives/fault.ts'

export type SyncFault =
  /** One peer is to blame, and is let go for that reason. */
  | { code: 'PEER_AT_FAULT'; peer: EthPeer; parting: DisconnectReason; reason: string }
  /** It has to begin again, by nobody's fault. */
  | { code: 'INTERRUPTED'; reason: string }
  | { code: 'NO_PEER' }
  | { code: 'STOPPED' }
export class SyncError extends Fault<SyncFault> {
  constructor(at: SyncFault, cause?: unknown) {
    super(at, cause, 'reason' in at ? at.reason : at.code)
  }
}

/** Blames a peer. */
export function atFault(peer: EthPeer, parting: DisconnectReason, reason: string, cause?: unknown): SyncError {
  return new SyncError({ code: 'PEER_AT_FAULT', peer, parting, reason }, cause)
}
