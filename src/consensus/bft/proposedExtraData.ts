import type { Address } from '../../primitives/bytes.ts'
import { vanityOf } from '../vanity.ts'
import type { BftCodec, BftVote } from './extraData.ts'

export interface ExtraDataPlan {
  /** Value of --miner-extra-data. */
  readonly minerExtraData: Uint8Array
  /** Validators of the block, ascending. */
  readonly validators: readonly Address[]
  /** Whether a contract selects the validators; headers list none then. */
  readonly byContract: boolean
  readonly vote: BftVote | undefined
  readonly round: number
}

/** Extra data of a block to propose, without commit seals. */
export function proposedExtraData(codec: BftCodec, plan: ExtraDataPlan): Uint8Array {
  const { minerExtraData, validators, byContract, vote, round } = plan
  return codec.encode(
    {
      vanity: vanityOf(minerExtraData),
      validators: byContract ? [] : validators,
      vote: byContract ? undefined : vote,
      round,
      seals: [],
    },
    'whole',
  )
}
