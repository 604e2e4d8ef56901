import type { HashedHeader } from '../../chain/view.ts'
import type { BftBlockPlan, BftTiming } from './machine.ts'

/** When the block of a height is due, and when it may be empty. Times that are passed in and returned are in milliseconds. */
export interface BlockSchedule {
  /** When the block is due. */
  readonly dueAt: number
  /** From one block to the next. */
  readonly period: number
  /** Whether a block without transactions has to wait. */
  mustNotBeEmpty(now: number): boolean
  /** When to look again for transactions, while an empty block has to wait. */
  lookAgainAt(now: number): number
  /** The block to build in round 0. */
  planFirst(now: number): BftBlockPlan
  /** The block to build in a later round, if none was prepared. */
  planLater(round: number, now: number): BftBlockPlan
}

/** Counts block periods from the time of the parent. */
class ParentSchedule implements BlockSchedule {
  private readonly parent: HashedHeader
  private readonly blockPeriodSeconds: number
  private readonly earliest: bigint
  /** Time from which on a block may be empty, in milliseconds. */
  private readonly emptyFrom: number
  readonly dueAt: number
  readonly period: number

  constructor(parent: HashedHeader, { blockPeriodSeconds, emptyBlockPeriodSeconds = 0 }: BftTiming) {
    this.parent = parent
    this.blockPeriodSeconds = blockPeriodSeconds
    this.earliest = parent.header.timestamp + BigInt(blockPeriodSeconds)
    this.emptyFrom = (Number(parent.header.timestamp) + emptyBlockPeriodSeconds) * 1000
    this.dueAt = Number(this.earliest) * 1000
    this.period = blockPeriodSeconds * 1000
  }

  private plan(round: number, seconds: number): BftBlockPlan {
    const timestamp = BigInt(seconds) < this.earliest ? this.earliest : BigInt(seconds)
    return { parent: this.parent, round, timestamp }
  }

  readonly mustNotBeEmpty: BlockSchedule['mustNotBeEmpty'] = (now) => now < this.emptyFrom

  readonly lookAgainAt: BlockSchedule['lookAgainAt'] = (now) =>
    Math.min(this.emptyFrom, now + this.blockPeriodSeconds * 1000)

  readonly planFirst: BlockSchedule['planFirst'] = (now) => this.plan(0, Math.round(now / 1000))

  readonly planLater: BlockSchedule['planLater'] = (round, now) => this.plan(round, Math.floor(now / 1000))
}

export function createBlockSchedule(parent: HashedHeader, timing: BftTiming): BlockSchedule {
  return new ParentSchedule(parent, timing)
}
