import type { ExpectedPeriod } from './expectedPeriod.ts'

/** Block periods without a block after which blocks are late, and after which the network counts as stalled. */
const latePeriods = 3
const stallPeriods = 5
/** The least milliseconds of both. */
const minLate = 4000
const minStall = 10_000

/** Milliseconds without a block after which that is worth a word to who looks, and after which it is an outage. */
export interface StallTimes {
  readonly late: number
  readonly stall: number
}

/** A validator that is away takes its period and a request timeout, two in a row two of them. */
export function stallTimesOf({ period, timeout }: ExpectedPeriod): StallTimes {
  return {
    late: Math.max(minLate, 1000 * latePeriods * period, 1000 * (period + timeout)),
    stall: Math.max(minStall, 1000 * stallPeriods * period, 1000 * (period + 2 * timeout)),
  }
}
