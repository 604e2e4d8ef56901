import { type Address, compareBytes, equalBytes, keyOf } from '../../primitives/bytes.ts'

/** A validator's vote to add or remove another. */
export interface Vote {
  readonly proposer: Address
  readonly subject: Address
  readonly add: boolean
}

/** The validators after a block and the pending votes; immutable. */
export interface Tally {
  /** Ascending, each once. */
  readonly validators: readonly Address[]
  /** By subject, then by proposer: true to add the subject, false to remove it. Keys are `keyOf` addresses. */
  readonly votes: ReadonlyMap<string, ReadonlyMap<string, boolean>>
}

/** Sorts validators and removes duplicates. */
export function sortValidators(addresses: readonly Address[]): readonly Address[] {
  const sorted = [...addresses].sort(compareBytes)
  return sorted.filter((address, i) => i === 0 || !equalBytes(address, sorted[i - 1]!))
}

/** A tally of these validators, without votes. */
export function startTally(validators: readonly Address[]): Tally {
  return { validators: sortValidators(validators), votes: new Map() }
}

/** Position of an address in a list, or -1. */
export function indexOfValidator(validators: readonly Address[], address: Address): number {
  return validators.findIndex((validator) => equalBytes(validator, address))
}

/** Whether two lists have the same members in the same order. */
export function equalValidators(a: readonly Address[], b: readonly Address[]): boolean {
  return a.length === b.length && a.every((address, i) => equalBytes(address, b[i]!))
}

/** Votes needed for a decision: more than half of the validators. */
export function majorityOf(validators: number): number {
  return Math.floor(validators / 2) + 1
}

/**
 * Counts one vote; only a proposer's last vote on a subject counts. Votes without effect, such as to add someone who is
 * a validator, are counted too, because Besu counts them and all nodes must agree.
 */
export function castVote({ validators, votes }: Tally, { proposer, subject, add }: Vote): Tally {
  const words = new Map(votes.get(keyOf(subject))).set(keyOf(proposer), add)
  const adding = [...words.values()].filter((word) => word).length
  const limit = majorityOf(validators.length)
  const next = new Map(votes)
  // Both sides are checked: after a validator was removed, votes cast before may be a majority of those left.
  if (words.size - adding >= limit) {
    next.delete(keyOf(subject))
    return { validators: validators.filter((one) => !equalBytes(one, subject)), votes: withoutVotesOf(next, subject) }
  }
  if (adding >= limit) {
    next.delete(keyOf(subject))
    return { validators: sortValidators([...validators, subject]), votes: next }
  }
  next.set(keyOf(subject), words)
  return { validators, votes: next }
}

/** Removes the votes of a removed validator. */
function withoutVotesOf(votes: Tally['votes'], proposer: Address): Tally['votes'] {
  const kept = new Map<string, ReadonlyMap<string, boolean>>()
  for (const [subject, words] of votes) {
    const others = new Map(words)
    others.delete(keyOf(proposer))
    if (others.size > 0) kept.set(subject, others)
  }
  return kept
}
