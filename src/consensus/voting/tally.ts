import { type Address, compareBytes, equalBytes, keyOf } from '../../primitives/bytes.ts'

/** The word of one validator on who is to become, or to stop being, another. */
export interface Vote {
  readonly proposer: Address
  readonly subject: Address
  readonly add: boolean
}

/** The validators after a block, and the votes that have not led to anything yet. Never changed, always replaced. */
export interface Tally {
  /** Ascending, each once. */
  readonly validators: readonly Address[]
  /** By subject, then by proposer: whether it wants the subject added. Keys are `keyOf` addresses. */
  readonly votes: ReadonlyMap<string, ReadonlyMap<string, boolean>>
}

/** Ascending and each once, the form in which engines compare lists of validators. */
export function sortValidators(addresses: readonly Address[]): readonly Address[] {
  const sorted = [...addresses].sort(compareBytes)
  return sorted.filter((address, i) => i === 0 || !equalBytes(address, sorted[i - 1]!))
}

/** These validators, no votes. */
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

/** Votes that decide: more than half of the validators. */
export function majorityOf(validators: number): number {
  return Math.floor(validators / 2) + 1
}

/**
 * Counts one more vote. A proposer has one word per subject, the last one. Votes that could change nothing, such as to add
 * a validator, are counted like any other: Besu does so, and all nodes must count alike.
 */
export function castVote({ validators, votes }: Tally, { proposer, subject, add }: Vote): Tally {
  const words = new Map(votes.get(keyOf(subject))).set(keyOf(proposer), add)
  const adding = [...words.values()].filter((word) => word).length
  const limit = majorityOf(validators.length)
  const next = new Map(votes)
  // Either side may have its majority now: votes cast before a validator left may suffice among those who remain.
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

/** One who is no validator any more has no say. */
function withoutVotesOf(votes: Tally['votes'], proposer: Address): Tally['votes'] {
  const kept = new Map<string, ReadonlyMap<string, boolean>>()
  for (const [subject, words] of votes) {
    const others = new Map(words)
    others.delete(keyOf(proposer))
    if (others.size > 0) kept.set(subject, others)
  }
  return kept
}
