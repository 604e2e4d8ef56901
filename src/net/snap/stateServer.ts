import type { Address } from '../../primitives/bytes.ts'

/** A request of a peer for state. */
export interface StateRequest {
  readonly code: number
  readonly payload: Uint8Array
  /** Who asks: peers are served in turns. */
  readonly peer: Address
  /** Whether the peer has disconnected. */
  isGone(): boolean
}

/** Answers requests of snap beside the chain's thread. */
export interface StateServer {
  /** Rejects with a SnapError if the request is malformed, and with another error if it is not answered. */
  ask(request: StateRequest): Promise<Uint8Array>
}
