import type { HashedHeader } from '../../chain/view.ts'
import { blockPeriodOf, minBlockGap } from '../../forks/bftTransitions.ts'
import type { Due } from '../producing/timers.ts'
import type { Beat } from './beat.ts'
import type { BftBlockPlan, BftTiming } from './machine.ts'

/** When the block of a height is due, and when it may be empty. Times that are passed in and returned are in milliseconds. */
export interface BlockSchedule {
  /** From one block to the next. */
  readonly period: number
  /** To be called when the height begins: when its block is due. */
  begin(now: number): Due
  /** The block of round 0 has come. */
  came(now: number): void
  /** Whether a block without transactions has to wait. */
  mustNotBeEmpty(now: number): boolean
  /** When to look again for transactions, while an empty block has to wait. */
  lookAgain(now: number): Due
  /** The block to build in round 0. */
  planFirst(now: number): BftBlockPlan
  /** The block to build in a later round, if none was prepared. */
  planLater(round: number, now: number): BftBlockPlan
}

abstract class ParentSchedule {
  protected readonly parent: HashedHeader
  /** Milliseconds of the parent's timestamp, and between blocks. */
  protected readonly parentTime: number
  protected readonly emptyPeriod: number
  protected readonly earliest: bigint
  readonly period: number

  constructor(parent: HashedHeader, timing: BftTiming) {
    this.parent = parent
    this.parentTime = Number(parent.header.timestamp) * 1000
    this.emptyPeriod = (timing.emptyBlockPeriodSeconds ?? 0) * 1000
    this.earliest = parent.header.timestamp + minBlockGap(timing)
    this.period = blockPeriodOf(timing)
  }

  protected plan(round: number, seconds: number): BftBlockPlan {
    const timestamp = BigInt(seconds) < this.earliest ? this.earliest : BigInt(seconds)
    return { parent: this.parent, round, timestamp }
  }

  readonly planLater: BlockSchedule['planLater'] = (round, now) => this.plan(round, Math.floor(now / 1000))
}

/** Whole seconds count from the time of the parent. */
class SecondsSchedule extends ParentSchedule implements BlockSchedule {
  private emptyFrom(): number {
    return this.parentTime + this.emptyPeriod
  }

  readonly begin: BlockSchedule['begin'] = () => ({ at: this.parentTime + this.period })

  readonly came: BlockSchedule['came'] = () => {}

  readonly mustNotBeEmpty: BlockSchedule['mustNotBeEmpty'] = (now) => now < this.emptyFrom()

  readonly lookAgain: BlockSchedule['lookAgain'] = (now) => ({ at: Math.min(this.emptyFrom(), now + this.period) })

  readonly planFirst: BlockSchedule['planFirst'] = (now) => this.plan(0, Math.round(now / 1000))
}

/** Milliseconds count from when the parent was due: its time has no milliseconds. */
class BeatSchedule extends ParentSchedule implements BlockSchedule {
  private readonly beat: Beat
  private emptyFrom = 0

  constructor(parent: HashedHeader, timing: BftTiming, beat: Beat) {
    super(parent, timing)
    this.beat = beat
  }

  readonly begin: BlockSchedule['begin'] = (now) => {
    const since = this.beat.begin(this.parent.header.number + 1n, this.period, now)
    // Who did not see the parent come, as after a restart, is at most a second apart from the others.
    const parentTime = Math.min(Math.max(since, this.parentTime), this.parentTime + 1000)
    this.emptyFrom = this.emptyPeriod > 0 ? parentTime + this.emptyPeriod : 0
    return { after: since + this.period - now }
  }

  readonly came: BlockSchedule['came'] = (now) => this.beat.came(now)

  readonly mustNotBeEmpty: BlockSchedule['mustNotBeEmpty'] = (now) => now < this.emptyFrom

  readonly lookAgain: BlockSchedule['lookAgain'] = (now) => {
    const at = Math.min(this.emptyFrom, now + this.period)
    this.beat.postpone(at)
    return { at }
  }

  // A second that has not begun would be in the future for those whose clocks are behind.
  readonly planFirst: BlockSchedule['planFirst'] = (now) => this.planLater(0, now)
}

export function createBlockSchedule(parent: HashedHeader, timing: BftTiming, beat: Beat): BlockSchedule {
  return timing.blockPeriodMilliseconds === undefined
    ? new SecondsSchedule(parent, timing)
    : new BeatSchedule(parent, timing, beat)
}
