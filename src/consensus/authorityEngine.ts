import type { ConsensusEngine } from '../chain/engine.ts'
import type { ChainView, HashedHeader } from '../chain/view.ts'
import type { Address } from '../primitives/bytes.ts'
import type { Header } from '../types/header.ts'
import type { Tally } from './voting/tally.ts'

/** A consensus engine whose blocks are made by a known set of validators (Clique, IBFT 2.0, QBFT). */
export interface AuthorityEngine extends ConsensusEngine {
  /** Returns who made a block: the signer in Clique (the zero address for block 0), the proposer in IBFT 2.0 and QBFT. */
  signerOf(header: Header): Address
  /** Returns the validators of the block after this one, in ascending order. */
  validatorsAfter(block: HashedHeader, chain: ChainView): readonly Address[]
  /** Returns the validators and pending votes after this block; undefined if a contract selects the validators. */
  tallyAfter(block: HashedHeader, chain: ChainView): Tally | undefined
}

export function isAuthorityEngine(consensus: ConsensusEngine): consensus is AuthorityEngine {
  return 'validatorsAfter' in consensus
}
