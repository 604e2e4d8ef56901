import type { Rules } from '../forks/rules.ts'
import type { Address, Hash32 } from '../primitives/bytes.ts'
import type { Header } from '../types/header.ts'
import type { ChainView, HashedHeader } from './view.ts'

/** What a fork choice looks at. */
export interface Candidate extends HashedHeader {
  readonly totalDifficulty: bigint
}

/** What the chain asks of whoever decides who may make blocks. */
export interface ConsensusEngine {
  /** The hash by which the network knows the block. */
  hash(header: Header): Hash32
  /** Checks a header and its seal against its parent; throws a BlockError. Gives the rules of the block. */
  validateHeader(header: Header, parent: HashedHeader, chain: ChainView): Rules
  /** Checks the header of a block that is only proposed: as `validateHeader`, without the seals that it is still to get. */
  validateProposal?(header: Header, parent: HashedHeader, chain: ChainView): Rules
  /** Checks an ommer as `validateHeader` does; absent where blocks have none. */
  validateOmmer?(ommer: Header, parent: Header): void
  /** Who collects fees where it is not the header's own field. */
  beneficiary(header: Header): Address | undefined
  /** The block's reward where it is not the fork's. */
  reward(header: Header): bigint | undefined
  /** True when the branch that ends in `candidate` is to replace the one that ends in `head`; `chain` knows both. */
  isBetter(candidate: Candidate, head: Candidate, chain: ChainView): boolean
}
