import { bftSettingsAt, bftValidatorsSetAt } from '../forks/bftTransitions.ts'
import type { ChainSpec } from '../forks/chainSpec.ts'
import type { ConsensusConfig } from '../forks/consensusConfig.ts'
import { GenesisError } from '../forks/fault.ts'
import type { Address } from '../primitives/bytes.ts'
import { toHex } from '../primitives/hex.ts'
import { RlpError } from '../primitives/rlp.ts'
import { ExtraDataError } from './fault.ts'

/**
 * Throws if the genesis extra data does not list the validators in the layout of the network's consensus, or lists none
 * where nothing else names them: then nobody could ever make a block.
 */
export function checkGenesisExtraData(
  { genesis, consensus }: ChainSpec,
  validatorsIn: (extraData: Uint8Array) => readonly Address[],
): void {
  const have = toHex(genesis.extraData)
  const want = `extra data of ${consensus.kind}`
  let validators: readonly Address[]
  try {
    validators = validatorsIn(genesis.extraData)
  } catch (error) {
    if (!(error instanceof RlpError) && !(error instanceof ExtraDataError)) throw error
    throw new GenesisError({ code: 'GENESIS_INVALID_VALUE', key: 'extraData', have, want }, error)
  }
  if (validators.length > 0 || setsValidators(consensus)) return
  const least = `${want} with at least one ${consensus.kind === 'clique' ? 'signer' : 'validator'}`
  throw new GenesisError({ code: 'GENESIS_INVALID_VALUE', key: 'extraData', have, want: least })
}

/** Whether the genesis file names the validators of block 1 elsewhere: in a contract or a transition. */
function setsValidators(consensus: ConsensusConfig): boolean {
  if (consensus.kind !== 'ibft2' && consensus.kind !== 'qbft') return false
  return (
    bftSettingsAt(consensus, 1n).validatorContract !== undefined || (bftValidatorsSetAt(consensus, 1n) ?? []).length > 0
  )
}
