import type { HashedHeader } from '../chain/view.ts'
import type { Block } from '../types/block.ts'

/** A block from a peer of which only the header is decoded so far. */
export interface Candidate extends HashedHeader {
  /** Bytes of its encoding. */
  readonly size: number
  /** Decodes the block; throws if that fails. */
  decode(): Block
  /** Counts the block against the peer that sent it. */
  blame(): void
}
