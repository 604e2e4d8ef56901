import type { Address } from '../../primitives/bytes.ts'
import type { Attendance } from './attendance.ts'
import type { MessageRules } from './messageRules.ts'

/** Waits for the proposers of one height: when their proposals are due, and for how long a round goes on without one. */
export interface TurnWatch {
  /** The block of round 0 is due. */
  due(now: number): void
  /**
   * The proposer of a round has signed what cannot become a block; true if the round may be left at once. Round 0 may not before its
   * block is due: that of another would not be due either. Later ones may not where more proposers in a row would be liars than there
   * can be: then validators do not agree on what is valid, and would chase each other through the rounds without end.
   */
  disprove(round: number): boolean
  /** Whether that was found of round 0 before. */
  isDisproved(): boolean
  enter(now: number): void
  /** The proposal of a round came; true if its proposer had missed its last turn. */
  made(round: number, now: number): boolean
  /** The proposal of a round came that was left. */
  late(round: number, now: number): void
  /** A round was left without a proposal. */
  left(round: number): void
  /** A round is left because its proposer was waited for as long as it is. */
  passOver(now: number): void
  /** A quorum has come to a round after that. */
  join(now: number): void
  /** Milliseconds for which the proposer of a round is waited for; undefined where it has all of the round's time. */
  patience(round: number): number | undefined
}

export interface TurnWatchOptions {
  readonly attendance: Attendance
  readonly rules: Pick<MessageRules, 'quorum' | 'validatorCount' | 'proposerOf' | 'isProposer'>
  readonly address: Address
  readonly height: bigint
  /** Milliseconds of a block period, and of the first round. */
  readonly period: number
  readonly base: number
}

/** The least time that a proposer has beyond what others need: a share of a block period and of a round, and milliseconds. */
const graceShare = 0.25
const minGrace = 50
const maxGrace = 500
/** The share of a round's time after which others are taken not to leave rounds as this validator does. */
const loneShare = 0.75

export function createTurnWatch(options: TurnWatchOptions): TurnWatch {
  const { attendance, rules, address, height, period, base } = options
  const { proposerOf, isProposer } = rules
  const grace = Math.min(Math.max(graceShare * period, minGrace), graceShare * base, maxGrace)
  /** More proposers in a row cannot be missing: then all are only slow. */
  const maxPassedOver = rules.validatorCount - rules.quorum
  let dueSince: number | undefined
  let enteredAt = 0
  let isDisproved = false
  let passedOverAt: number | undefined

  return {
    due(now) {
      dueSince ??= now
    },
    disprove(round) {
      if (round >= maxPassedOver) return false
      const isDue = round > 0 || dueSince !== undefined
      isDisproved ||= !isDue
      return isDue
    },
    isDisproved: () => isDisproved,
    enter(now) {
      enteredAt = now
    },
    made(round, now) {
      const delay = dueSince === undefined ? 0 : now - dueSince
      return attendance.made(proposerOf(round), round === 0 ? delay : undefined)
    },
    late: (round, now) => attendance.late(proposerOf(round), height, now),
    left(round) {
      const since = round === 0 ? dueSince : enteredAt
      if (since !== undefined && !isProposer(address, round)) attendance.missed(proposerOf(round), since)
    },
    passOver(now) {
      passedOverAt ??= now
    },
    join(now) {
      if (passedOverAt !== undefined) attendance.followed(now - passedOverAt < loneShare * base)
      passedOverAt = undefined
    },
    patience(round) {
      if (round >= maxPassedOver || isProposer(address, round)) return undefined
      const patience = attendance.patience(proposerOf(round), { grace, period })
      return patience !== undefined && patience < base ? patience : undefined
    },
  }
}
