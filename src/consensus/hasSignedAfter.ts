import type { Chain } from '../chain/chain.ts'
import type { ConsensusEngine } from '../chain/engine.ts'
import type { Address } from '../primitives/bytes.ts'
import { isAuthorityEngine } from './authorityEngine.ts'
import { indexOfValidator } from './voting/tally.ts'

/**
 * Whether a node has signed blocks after this one together with other validators: if its head were set back, it would have
 * to sign them again. A validator that is alone may, because nobody else relies on what it has signed.
 */
export function hasSignedAfter(
  number: bigint,
  chain: Pick<Chain, 'head' | 'read'>,
  consensus: ConsensusEngine,
  address: Address,
): boolean {
  if (!isAuthorityEngine(consensus) || number >= chain.head().header.number) return false
  const validators = chain.read((view) => consensus.validatorsAfter(view.head, view))
  return validators.length > 1 && indexOfValidator(validators, address) >= 0
}
