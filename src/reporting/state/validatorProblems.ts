import { type Address, equalBytes, includesBytes } from '../../primitives/bytes.ts'
import { toHex } from '../../primitives/hex.ts'
import type { Problem } from '../../rpc/server/networkState.ts'
import type { NetworkSight } from './sight.ts'

/** The validators that take no part, as far as this node knows: silent in their turns, or without any of the last blocks. */
export function missingValidators({ validators, proposers, absent, round }: NetworkSight): readonly Address[] {
  // Who has announced the round in progress is there, whatever it did before.
  const heard = round && round.round > 0 ? round.heard() : []
  const missing = round && heard.length > 0 && heard.length < round.quorum
  return validators.filter((validator) =>
    missing
      ? !includesBytes(heard, validator)
      : includesBytes(proposers.silent, validator) || includesBytes(absent, validator),
  )
}

/** What is said of validators that take no part while blocks are made, and of those whose proposals are invalid. */
export function validatorProblems(sight: NetworkSight, missing: readonly Address[]): readonly Problem[] {
  const { address, validators, needed, proposers } = sight
  const spare = validators.length - missing.length - needed
  const rest = spare > 0 ? `${spare} more may be away until no block is made` : 'blocks stop when one more is away'
  const invalid = proposers.flaws.filter(({ secondsAhead }) => secondsAhead === undefined)
  return [
    ...missing.map((validator): Problem => {
      const isOwn = equalBytes(validator, address)
      return {
        code: 'absent',
        level: 'warning',
        text: isOwn
          ? `this node (${toHex(validator)}) is a validator, and none of the last blocks is its own`
          : `validator ${toHex(validator)} takes no part: it lets its turns pass`,
        advice: isOwn
          ? 'look for warnings in its log, and compare its clock, genesis file and peers with those of the others'
          : `start it, and check that the others reach it; ${rest}`,
        about: toHex(validator),
      }
    }),
    ...invalid.map(
      ({ proposer, reason }): Problem => ({
        code: 'invalidProposals',
        level: 'warning',
        text: `proposals of ${toHex(proposer)} are invalid: ${reason}`,
        advice: 'compare versions and genesis files of the validators',
        about: toHex(proposer),
      }),
    ),
  ]
}
