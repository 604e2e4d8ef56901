import type { Address } from '../../primitives/bytes.ts'
import { vanityOf } from '../vanity.ts'
import type { BftCodec, BftVote } from './extraData.ts'

export interface ExtraDataPlan {
  /** What the operator wants to have in blocks. */
  readonly minerExtraData: Uint8Array
  /** Who decides on the block, ascending. */
  readonly validators: readonly Address[]
  /** Whether a contract names them: headers then say nothing of validators. */
  readonly byContract: boolean
  readonly vote: BftVote | undefined
  readonly round: number
}

/** The extra data of a block that is about to be proposed: nobody has committed to it yet. */
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
