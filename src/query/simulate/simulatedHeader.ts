import type { HashedHeader } from '../../chain/view.ts'
import { draftHeader } from '../../consensus/producing/draftHeader.ts'
import type { ChainSpec } from '../../forks/chainSpec.ts'
import { emptyBytes } from '../../primitives/bytes.ts'
import type { Header } from '../../types/header.ts'
import type { PlannedBlock } from './planBlocks.ts'

/** The header of a simulated block, as far as it is known before its calls run. Only with validation fees are real. */
export function simulatedHeader(
  parent: HashedHeader,
  { block, number, time }: PlannedBlock,
  spec: ChainSpec,
  validation: boolean,
): Header {
  const { difficulty, gasLimit, beneficiary } = parent.header
  const { proofOfStake } = spec.rulesAt({ number, timestamp: time, difficulty })
  const plan = {
    timestamp: time,
    beneficiary: block.feeRecipient ?? beneficiary,
    extraData: emptyBytes,
    difficulty: block.difficulty ?? (proofOfStake ? 0n : difficulty),
    targetGasLimit: undefined,
    ...(block.prevRandao && { mixHash: block.prevRandao }),
  }
  const draft = draftHeader(parent, plan, spec)
  const usualFee = validation ? draft.baseFee : 0n
  return {
    ...draft,
    gasLimit: block.gasLimit ?? gasLimit,
    baseFee: draft.baseFee === undefined ? undefined : (block.baseFee ?? usualFee),
    parentBeaconRoot: draft.parentBeaconRoot && (block.beaconRoot ?? draft.parentBeaconRoot),
  }
}
