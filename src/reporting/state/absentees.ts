import { type Address, includesBytes } from '../../primitives/bytes.ts'

/** Turns of each validator that are looked at. */
const turns = 3

/**
 * The validators that made none of the last blocks, each of which had several turns in them. A maker that is not known leaves the question
 * open, as do fewer blocks than that. Where one validator is enough there are no turns.
 */
export function absentees(
  validators: readonly Address[],
  makers: readonly (Address | undefined)[],
): readonly Address[] {
  const looked = makers.slice(0, turns * validators.length)
  const known = looked.filter((maker) => maker !== undefined)
  if (validators.length < 2 || known.length < turns * validators.length) return []
  return validators.filter((validator) => !includesBytes(known, validator))
}
