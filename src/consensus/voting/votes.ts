import { type Address, equalBytes, keyOf } from '../../primitives/bytes.ts'
import { indexOfValidator, type Tally, type Vote } from './tally.ts'

/** A vote of this node's operator to add or remove a validator. */
export type ProposedVote = Omit<Vote, 'proposer'>

/** Votes of this node's operator. They stay until they are discarded or the node stops, even once they have succeeded. */
export interface Votes {
  propose(subject: Address, add: boolean): void
  /** Returns whether there was a vote to discard. */
  discard(subject: Address): boolean
  pending(): readonly ProposedVote[]
  /** Returns the vote to put into the proposer's block, in turn among those that would change the tally. */
  choose(tally: Tally, proposer: Address): ProposedVote | undefined
}

/** Whether a vote would change the tally. */
function wouldChange({ validators, votes }: Tally, proposer: Address, { subject, add }: ProposedVote): boolean {
  const before = votes.get(keyOf(subject))?.get(keyOf(proposer))
  if (before !== undefined) return before !== add
  return add !== indexOfValidator(validators, subject) >= 0
}

export function createVotes(): Votes {
  let proposals: readonly ProposedVote[] = []
  let position = -1
  const others = (subject: Address) => proposals.filter((proposal) => !equalBytes(proposal.subject, subject))

  return {
    propose(subject, add) {
      proposals = [...others(subject), { subject, add }]
    },
    discard(subject) {
      const { length } = proposals
      proposals = others(subject)
      return proposals.length < length
    },
    pending: () => proposals,
    choose(tally, proposer) {
      const open = proposals.filter((proposal) => wouldChange(tally, proposer, proposal))
      if (open.length === 0) return undefined
      position = (position + 1) % open.length
      return open[position]
    },
  }
}
