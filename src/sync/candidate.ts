import type { HashedHeader } from '../chain/view.ts'
import type { Block } from '../types/block.ts'

/** A block that came from a peer and of which only the header was read so far. */
export interface Candidate extends HashedHeader {
  /** Bytes of its encoding. */
  readonly size: number
  /** Reads the rest; throws when that is not possible. */
  decode(): Block
  /** Holds it against the peer that it is not what it should be. */
  blame(): void
}
