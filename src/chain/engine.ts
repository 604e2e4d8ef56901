import type { Rules } from '../forks/rules.ts'
import type { Address, Hash32 } from '../primitives/bytes.ts'
import type { Header } from '../types/header.ts'
import type { ChainView, HashedHeader } from './view.ts'

/** A header that the fork choice compares. */
export interface Candidate extends HashedHeader {
  readonly totalDifficulty: bigint
}

/** What the chain asks of consensus. */
export interface ConsensusEngine {
  /** The hash of the block in this network. */
  hash(header: Header): Hash32
  /**
   * The header in the form in which it is stored and sent, where the hash leaves bytes out that others may have added; absent if it
   * covers all. Throws a BlockError.
   */
  canonical?(header: Header): Header
  /** Checks a header and its seal against its parent; throws a BlockError. Returns the rules of the block. */
  validateHeader(header: Header, parent: HashedHeader, chain: ChainView): Rules
  /** Checks the header of a proposed block: as `validateHeader`, without the seals that it has yet to get. */
  validateProposal?(header: Header, parent: HashedHeader, chain: ChainView): Rules
  /**
   * Checks a header as `validateHeader` does, except for its seals and, where only the state of its parent says who may make it, its maker:
   * a later block that a quorum has sealed vouches for those before it. Absent where each header has to be validated by itself.
   */
  validateUnsealed?(header: Header, parent: HashedHeader, chain: ChainView): Rules
  /** Bytes that seals add at most to a block proposed after `parent`; absent if a block is proposed with its seal. */
  sealSize?(parent: HashedHeader, chain: ChainView): number
  /** Checks an ommer as `validateHeader` does; absent if blocks of this network cannot have ommers. */
  validateOmmer?(ommer: Header, parent: Header): void
  /** The account that collects the fees; undefined if it is the header's beneficiary. */
  beneficiary(header: Header): Address | undefined
  /** The block reward; undefined if it is that of the fork. */
  reward(header: Header): bigint | undefined
  /** Whether the branch that ends in `candidate` replaces the one that ends in `head`; `chain` has both. */
  isBetter(candidate: Candidate, head: Candidate, chain: ChainView): boolean
  /** Whether a canonical block, once imported, is never replaced by another; absent if any may be. */
  isFinal?(header: Header): boolean
  /** What the engine wants to find with a block again (`ChainView.engineRecord`), if anything; `chain` has the block. */
  recordAfter?(block: HashedHeader, chain: () => ChainView): Uint8Array | undefined
}
