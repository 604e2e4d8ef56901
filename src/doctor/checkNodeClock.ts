import type { ChainSpec } from '../forks/chainSpec.ts'
import { type Checked, fine, warning, wrong } from './finding.ts'

/** Times of the newest block and of this machine, in seconds since 1970. */
export interface NodeTimes {
  readonly newest: number
  readonly now: number
  /** Seconds from block to block; undefined if blocks come when there is something to put in. */
  readonly period: number | undefined
}

/** Seconds by which the newest block may be ahead of this machine's clock. */
const maxAhead = 2
/** Periods, and seconds beside, by which the newest block of a running node may be old: some rounds may fail. */
const maxMissed = 10
const minAge = 30

/** Maximum seconds from block to block on networks that make blocks all the time. */
export function periodOf({ consensus }: ChainSpec): number | undefined {
  if (consensus.kind !== 'qbft' && consensus.kind !== 'ibft2') return undefined
  const settings = [consensus, ...consensus.transitions, ...(consensus.successor ? [consensus.successor.config] : [])]
  return Math.max(...settings.map((s) => Math.max(s.blockPeriodSeconds, s.emptyBlockPeriodSeconds ?? 0)))
}

/**
 * Compares this machine's clock with the newest block, both ways: a block from the future says that the clock is behind, an old
 * one on a node that runs that it is ahead, unless no blocks are made.
 */
export function checkNodeClock({ newest, now, period }: NodeTimes, running: boolean): Checked {
  const age = Math.floor(now) - newest
  if (-age > maxAhead)
    return wrong(
      `the newest block is ${-age} s ahead of this machine's clock`,
      'synchronise the clocks of all machines (NTP)',
    )
  if (running && period !== undefined && age > maxMissed * period + minAge)
    return warning(
      `the newest block is ${age} s behind this machine's clock, but the network makes one every ${period} s`,
      'this clock is ahead (compare it with NTP), or no blocks are made: look at peers and validators',
    )
  return fine(`this machine's clock agrees with the newest block, which is ${Math.max(age, 0)} s old`)
}
