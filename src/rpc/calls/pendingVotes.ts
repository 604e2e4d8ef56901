import { toHex } from '../../primitives/hex.ts'
import type { VotesPort } from '../protocol/context.ts'

/** The operator's votes by address. */
export function pendingVotes(votes: VotesPort): ReadonlyMap<string, boolean> {
  return new Map(votes.pending().map(({ subject, add }) => [toHex(subject), add]))
}
