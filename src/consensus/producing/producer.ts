import type { Address } from '../../primitives/bytes.ts'

/** A sub-protocol of RLPx that validators speak. */
export interface WireProtocol {
  readonly name: string
  readonly version: number
  /** Codes that are reserved for it. */
  readonly length: number
}

/** What makes blocks, as far as this node may. */
export interface Producer {
  /** What peers must be offered, so that validators hear each other. */
  readonly protocols: readonly WireProtocol[]
  isRunning(): boolean
  start(): void
  stop(): void
  /** A message of one of the protocols; `from` is the address of the peer's node key. */
  receive?(protocol: string, code: number, data: Uint8Array, from: Address): void
}
