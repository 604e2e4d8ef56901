import type { Hex } from 'viem'

/** Votes that are in the chain and not decided, as the node counts them. */
export interface ChainVotes {
  readonly validators: Hex
  readonly needed: Hex
  readonly nextEpoch: Hex
  /** By account, then by voter: true to add the account. */
  readonly votes: Readonly<Record<Hex, Readonly<Record<Hex, boolean>>>>
}

/** A vote on one account, one way. */
export interface Candidacy {
  readonly subject: Hex
  readonly add: boolean
  readonly voters: readonly Hex[]
  /** Votes that are missing to a decision. */
  readonly missing: number
}

/** The accounts that are voted on in the chain, those nearest to a decision first. */
export function listCandidacies({ needed, votes }: ChainVotes): readonly Candidacy[] {
  const found = Object.entries(votes).flatMap(([subject, words]) =>
    [true, false].flatMap((add): readonly Candidacy[] => {
      const voters = Object.entries(words).flatMap(([voter, word]) => (word === add ? [voter as Hex] : []))
      if (voters.length === 0) return []
      return [{ subject: subject as Hex, add, voters, missing: Math.max(0, Number(needed) - voters.length) }]
    }),
  )
  return found.sort((a, b) => a.missing - b.missing)
}

/** What happens next to an account that is voted on. */
export function outlookOf({ add, missing }: Candidacy, isValidator: boolean): string {
  if (add === isValidator) return add ? 'it is a validator already' : 'it is no validator'
  const verb = add ? 'becomes a validator' : 'is removed'
  return missing === 1 ? `it ${verb} with one more vote` : `it ${verb} with ${missing} more votes`
}

/** What becomes of the vote that a node holds ready. */
export function outlookOfProposal(
  { subject, add, voter }: { readonly subject: Hex; readonly add: boolean; readonly voter: Hex | undefined },
  chain: ChainVotes,
  validators: readonly Hex[],
): string {
  const has = (list: readonly string[], one: string) => list.some((other) => other.toLowerCase() === one.toLowerCase())
  if (voter && !has(validators, voter)) return 'without effect: the node is no validator'
  const words = Object.entries(chain.votes).find(([of]) => of.toLowerCase() === subject.toLowerCase())?.[1] ?? {}
  if (voter && Object.entries(words).some(([of, word]) => of.toLowerCase() === voter.toLowerCase() && word === add))
    return 'is in the chain'
  if (has(validators, subject) === add)
    return add
      ? 'done: it is a validator; withdraw the vote, or it counts again'
      : 'done: it is no validator; withdraw the vote, or it counts again'
  return 'goes into the next block that this node makes'
}
