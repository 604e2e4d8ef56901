import type { Address } from '../../primitives/bytes.ts'

/** An RLPx sub-protocol between validators. */
export interface WireProtocol {
  readonly name: string
  readonly version: number
  /** Number of message codes. */
  readonly length: number
}

/** Makes this node's blocks. */
export interface Producer {
  /** Sub-protocols to offer to peers. */
  readonly protocols: readonly WireProtocol[]
  isRunning(): boolean
  start(): void
  stop(): void
  /** Handles a message of one of the protocols; `from` is the address of the peer's node key. */
  receive?(protocol: string, code: number, data: Uint8Array, from: Address): void
  /** A peer that speaks one of the protocols has connected. */
  onLink?(address: Address): void
}
