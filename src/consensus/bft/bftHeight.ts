import type { HashedHeader } from '../../chain/view.ts'
import type { Address } from '../../primitives/bytes.ts'
import type { Block } from '../../types/block.ts'
import type { Attendance } from './attendance.ts'
import type { Beat } from './beat.ts'
import type { BftRecord } from './bftRecord.ts'
import type { BftBlockPlan, BftEffect, BftMachineParts, BftTimer } from './machine.ts'
import type { MessageRules } from './messageRules.ts'
import type { BftMessage, BftReader, ProposalMessage } from './messages.ts'
import type { OwnWords } from './ownWords.ts'
import type { Signing } from './signing.ts'

export interface BftHeightParts {
  readonly parts: BftMachineParts
  readonly reader: BftReader
  readonly parent: HashedHeader
  readonly rules: MessageRules
  readonly words: OwnWords
  readonly signing: Pick<Signing, 'sign'>
  readonly attendance: Attendance
  readonly beat: Beat
  /** What this validator signed at this height before a restart. */
  readonly resumed: BftRecord | undefined
  readonly emit: (effect: BftEffect) => void
}

/** Consensus on one block: rounds, until the chain has a block at this height. */
export interface BftHeight {
  /** The round in progress, −1 before the first. */
  round(): number
  /** Whether a validator is known to have reached the round in progress. */
  isHeard(validator: Address): boolean
  start(now: number): void
  /** `isDirect` says that its author has sent it to this node itself. */
  receive(message: BftMessage, now: number, isDirect: boolean): void
  /** A validator has sent a proposal that it has signed, and that nobody can read. */
  receiveUnreadable(author: Address, round: number, reason: string, now: number): void
  onTimer(timer: BftTimer, now: number): void
  /** The block that `onTimer` would build now. */
  foreseeBuild(timer: BftTimer, now: number): BftBlockPlan | undefined
  /** The block of a proposal that `receive` would have checked now. */
  foreseeCheck(message: ProposalMessage): Block | undefined
  /** Sends the messages of the round in progress to a validator that has just connected. */
  onLink(address: Address): void
  /** What has to be on disk before effects are performed; undefined when nothing was signed since the last call. */
  takeRecord(): BftRecord | undefined
}
