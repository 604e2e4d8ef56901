import { type Address, equalBytes, keyOf } from '../../primitives/bytes.ts'
import { indexOfValidator, type Tally, type Vote } from './tally.ts'

/** What this node wants of an account: that it becomes a validator, or that it stops being one. */
export type Wish = Omit<Vote, 'proposer'>

/** The wishes of this node's operator. They last until they are discarded or the node stops, fulfilled or not. */
export interface Votes {
  propose(subject: Address, add: boolean): void
  /** Whether there was something to discard. */
  discard(subject: Address): boolean
  pending(): readonly Wish[]
  /** The wish to put into the block that `proposer` makes: one after the other of those that would change the count. */
  choose(tally: Tally, proposer: Address): Wish | undefined
}

/** Whether a vote would still change something, so that it is worth its place in a block. */
function counts({ validators, votes }: Tally, proposer: Address, { subject, add }: Wish): boolean {
  const before = votes.get(keyOf(subject))?.get(keyOf(proposer))
  if (before !== undefined) return before !== add
  return add !== indexOfValidator(validators, subject) >= 0
}

export function createVotes(): Votes {
  let wishes: readonly Wish[] = []
  let position = -1
  const others = (subject: Address) => wishes.filter((wish) => !equalBytes(wish.subject, subject))

  return {
    propose(subject, add) {
      wishes = [...others(subject), { subject, add }]
    },
    discard(subject) {
      const { length } = wishes
      wishes = others(subject)
      return wishes.length < length
    },
    pending: () => wishes,
    choose(tally, proposer) {
      const open = wishes.filter((wish) => counts(tally, proposer, wish))
      if (open.length === 0) return undefined
      position = (position + 1) % open.length
      return open[position]
    },
  }
}
