import { createLatestByAuthor } from './latestByAuthor.ts'
import type { MessageRules } from './messageRules.ts'
import type { Prepared, RoundChangeMessage } from './messages.ts'

/** Who wants to go to which round. */
export interface RoundChanges {
  /** False when the author is known to want at least as late a round. */
  add(message: RoundChangeMessage): boolean
  /** The messages for a round, once there are enough of them to start it. */
  quorumFor(round: number): readonly RoundChangeMessage[] | undefined
  /** The latest round, after this one, that an honest validator is known to be in. */
  roundToCatchUp(after: number): number | undefined
}

export function createRoundChanges({ quorum, tolerated }: MessageRules): RoundChanges {
  const latest = createLatestByAuthor<RoundChangeMessage>()
  return {
    add: latest.add,
    quorumFor(round) {
      const messages = latest.ofRound(round)
      return messages.length >= quorum ? messages : undefined
    },
    roundToCatchUp(after) {
      // Where none may be faulty one slow validator would drag the others along.
      if (tolerated === 0) return undefined
      const ahead = latest.rounds().filter((round) => round > after)
      // Of one more than may be faulty at least one is honest.
      return ahead.sort((a, b) => b - a)[tolerated]
    },
  }
}

/** The prepared block with which a round has to go on: the latest that any of these tells of. */
export function latestPrepared(changes: readonly RoundChangeMessage[]): Prepared | undefined {
  let latest: Prepared | undefined
  for (const { block, certificate } of changes)
    if (block && certificate && (!latest || certificate.round > latest.certificate.round))
      latest = { block, certificate }
  return latest
}
