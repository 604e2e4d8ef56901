import type { ConsensusEngine } from '../chain/engine.ts'
import type { ChainView, HashedHeader } from '../chain/view.ts'
import type { Address, Hash32 } from '../primitives/bytes.ts'
import type { Header } from '../types/header.ts'
import type { Tally } from './voting/tally.ts'

/** Signatures of those who commit to a block, and what they sign. */
export interface CommitSeals {
  readonly digest: Hash32
  readonly seals: readonly Uint8Array[]
}

/** A consensus engine whose blocks are made by a known set of validators (Clique, IBFT 2.0, QBFT). */
export interface AuthorityEngine extends ConsensusEngine {
  /** Returns who made a block: the signer in Clique (the zero address for block 0), the proposer in IBFT 2.0 and QBFT. */
  signerOf(header: Header): Address
  /** Returns the validators of the block after this one, in ascending order. */
  validatorsAfter(block: HashedHeader, chain: ChainView): readonly Address[]
  /** The seals by which validators have committed to a block; undefined where it has that of its maker only. */
  commitSealsOf?(header: Header): CommitSeals | undefined
  /** Returns the validators and pending votes after this block; undefined if a contract selects the validators. */
  tallyAfter(block: HashedHeader, chain: ChainView): Tally | undefined
}

export function isAuthorityEngine(consensus: ConsensusEngine): consensus is AuthorityEngine {
  return 'validatorsAfter' in consensus
}
