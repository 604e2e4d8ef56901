import { type Address, compareBytes } from '../../primitives/bytes.ts'
import { indexOfValidator } from '../voting/tally.ts'

/**
 * Returns the proposer of a round: validators take turns from block to block and from round to round. If the last
 * proposer has been removed, the next address in order follows.
 */
export function createProposerOrder(validators: readonly Address[], lastProposer: Address): (round: number) => Address {
  const last = indexOfValidator(validators, lastProposer)
  const following = validators.findIndex((validator) => compareBytes(validator, lastProposer) > 0)
  const first = last >= 0 ? last + 1 : following >= 0 ? following : 0
  return (round) => validators[(first + round) % validators.length]!
}
