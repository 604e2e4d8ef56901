import { toHex } from '../../primitives/hex.ts'
import type { VotesPort } from '../protocol/context.ts'

/** What the operator wants of accounts, by address. */
export function pendingVotes(votes: VotesPort): ReadonlyMap<string, boolean> {
  return new Map(votes.pending().map(({ subject, add }) => [toHex(subject), add]))
}
