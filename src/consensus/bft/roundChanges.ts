import { createLatestByAuthor } from './latestByAuthor.ts'
import type { MessageRules } from './messageRules.ts'
import type { PreparedBlock, RoundChangeMessage } from './messages.ts'

/** Round changes received at a height. */
export interface RoundChanges {
  /** Returns false if the author is known to have asked for the same or a later round. */
  add(message: RoundChangeMessage): boolean
  /** The round changes for a round, once they are a quorum. */
  quorumFor(round: number): readonly RoundChangeMessage[] | undefined
  /** The latest message of each validator. */
  all(): readonly RoundChangeMessage[]
}

export function createRoundChanges({ quorum }: MessageRules): RoundChanges {
  const latest = createLatestByAuthor<RoundChangeMessage>()
  return {
    add: latest.add,
    quorumFor(round) {
      const messages = latest.ofRound(round)
      return messages.length >= quorum ? messages : undefined
    },
    all: latest.all,
  }
}

/** The prepared block that must be proposed again: that of the latest round. */
export function latestPrepared(changes: readonly RoundChangeMessage[]): PreparedBlock | undefined {
  let latest: PreparedBlock | undefined
  for (const { block, certificate } of changes)
    if (block && certificate && (!latest || certificate.round > latest.certificate.round))
      latest = { block, certificate }
  return latest
}
