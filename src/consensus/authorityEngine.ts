import type { ConsensusEngine } from '../chain/engine.ts'
import type { ChainView, HashedHeader } from '../chain/view.ts'
import type { Address } from '../primitives/bytes.ts'
import type { Header } from '../types/header.ts'
import type { Tally } from './voting/tally.ts'

/** An engine whose blocks are made by a known set of accounts. */
export interface AuthorityEngine extends ConsensusEngine {
  /** Who made a block: the signer in Clique (the zero address of block 0), the proposer in IBFT 2.0 and QBFT. */
  signerOf(header: Header): Address
  /** Who may make the block after this one, in ascending order. */
  validatorsAfter(block: HashedHeader, chain: ChainView): readonly Address[]
  /** The validators and the votes that count after this block; undefined where a contract names the validators. */
  tallyAfter(block: HashedHeader, chain: ChainView): Tally | undefined
}

export function isAuthorityEngine(consensus: ConsensusEngine): consensus is AuthorityEngine {
  return 'validatorsAfter' in consensus
}
