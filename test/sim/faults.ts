import type { Random } from '../fuzz/random.ts'
import { startTime } from './world.ts'

/** What can go wrong; each run draws some of these. */
export const faultNames = [
  'crash',
  'partition',
  'loss',
  'delay',
  'duplicate',
  'reorder',
  'skew',
  'byzantine',
  'votes',
  'transitions',
] as const
export type FaultName = (typeof faultNames)[number]

/** A time during which two sides cannot reach each other. */
interface Partition {
  readonly from: number
  readonly to: number
  /** On which side each validator is. */
  readonly sides: readonly boolean[]
}

/** What goes wrong in one run, until it heals. Byzantine validators do not heal. */
export interface FaultPlan {
  readonly has: (fault: FaultName) => boolean
  readonly healAt: number
  /** Percent of effects before which a validator crashes. */
  readonly crashes: number
  readonly partitions: readonly Partition[]
  /** Percent of messages. */
  readonly loss: number
  readonly duplicates: number
  /** Milliseconds that a message takes at most. */
  readonly delay: number
  /** By how many milliseconds each clock is ahead. */
  readonly skews: readonly number[]
  /** Whether validators pass on what others send. */
  readonly gossips: boolean
}

const shortest = 4000
const longest = 20_000

function drawPartition(random: Random, validators: number, healAt: number): Partition {
  const from = startTime + random.below(healAt - startTime)
  const sides = Array.from({ length: validators }, () => random.percent(50))
  return { from, to: Math.min(healAt, from + random.between(500, 6000)), sides }
}

/** Draws from the faults that are allowed. */
export function drawFaults(random: Random, validators: number, allowed: ReadonlySet<FaultName>): FaultPlan {
  const drawn = new Set(faultNames.filter((fault) => random.percent(40) && allowed.has(fault)))
  const has = (fault: FaultName) => drawn.has(fault)
  // Now and then a long time, in which rounds get high.
  const healAt = startTime + random.between(shortest, random.percent(8) ? 4 * longest : longest)
  const skew = has('skew') ? random.pick([300, 900, 3000]) : 0
  return {
    has,
    healAt,
    crashes: has('crash') ? random.pick([0.3, 1, 3]) : 0,
    partitions: has('partition')
      ? Array.from({ length: random.between(1, 4) }, () => drawPartition(random, validators, healAt))
      : [],
    loss: has('loss') ? random.pick([1, 5, 15, 30]) : 0,
    duplicates: has('duplicate') ? random.pick([2, 10, 30]) : 0,
    delay: has('delay') ? random.pick([200, 800, 3000]) : 50,
    skews: Array.from({ length: validators }, () => random.between(-skew, skew)),
    gossips: random.percent(20),
  }
}
