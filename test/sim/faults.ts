import type { Random } from '../fuzz/random.ts'
import type { FailingPart } from './simDriver.ts'
import { drawTopology, type TopologyName } from './topology.ts'
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
  'outage',
  'disk',
  'clock',
  'stranger',
  'topology',
  'contract',
  'away',
  'large',
] as const
export type FaultName = (typeof faultNames)[number]

/** Percent of runs that have a fault; 40 unless said otherwise. */
const shares: Partial<Record<FaultName, number>> = {
  outage: 8,
  disk: 15,
  clock: 10,
  stranger: 15,
  topology: 12,
  contract: 10,
  away: 10,
  large: 20,
}

/** Where few are asked for, each comes often. */
const maxFew = 5
const shareOfFew = 75

/** A time during which two sides cannot reach each other. */
interface Partition {
  readonly from: number
  readonly to: number
  /** On which side each validator is. */
  readonly sides: readonly boolean[]
}

/** A time during which some are switched off. */
interface Outage {
  readonly from: number
  readonly to: number
  readonly members: readonly number[]
}

/** A time during which a part of a node does not work. */
interface Failure {
  readonly index: number
  readonly part: FailingPart
  readonly from: number
  readonly to: number
}

/** What goes wrong in one run, until it heals. Byzantine validators and strangers do not heal. */
export interface FaultPlan {
  readonly has: (fault: FaultName) => boolean
  readonly healAt: number
  /** Percent of effects before which a validator crashes. */
  readonly crashes: number
  readonly partitions: readonly Partition[]
  readonly outages: readonly Outage[]
  readonly failures: readonly Failure[]
  /** Percent of messages. */
  readonly loss: number
  readonly duplicates: number
  /** Milliseconds that a message takes at most. */
  readonly delay: number
  /** By how many milliseconds a clock is ahead. */
  readonly skewOf: (index: number, time: number) => number
  /** The most that a clock is ahead whose blocks others may take. */
  readonly maxSkew: number
  /** Whether validators pass on what others send. */
  readonly gossips: boolean
  /** Whether what one sends gets to another without help. */
  readonly isLinked: (from: number, to: number) => boolean
  /** Those who are never there: as many as may be missing, at most. */
  readonly away: ReadonlySet<number>
  /** Bytes of the transactions of each block. */
  readonly blockBytes: number
  /** Whether connections are opened again when all is well: then everyone repeats what may have been lost. */
  readonly reconnects: boolean
  /** Whether connections stay open all the time: nothing tells validators that others are well again. */
  readonly isQuiet: boolean
}

const shortest = 4000
const longest = 20_000

function drawPartition(random: Random, validators: number, healAt: number): Partition {
  const from = startTime + random.below(healAt - startTime)
  const sides = Array.from({ length: validators }, () => random.percent(50))
  return { from, to: Math.min(healAt, from + random.between(500, 6000)), sides }
}

function drawFailure(random: Random, validators: number, healAt: number): Failure {
  const from = startTime + random.below(healAt - startTime)
  const to = random.percent(30) ? healAt : Math.min(healAt, from + random.between(100, 6000))
  return {
    index: random.below(validators),
    part: random.pick(['write', 'build', 'import', 'contract'] as const),
    from,
    to,
  }
}

/** Nobody can build a block for minutes, and nothing else is wrong. */
function drawLongFailures(validators: number, healAt: number): Failure[] {
  return Array.from({ length: validators }, (_, index) => ({ index, part: 'build', from: startTime, to: healAt }))
}

function drawOutage(random: Random, validators: number, healAt: number): Outage {
  const count = Math.max(1, Math.floor(validators / 3) + (random.percent(80) ? 1 : 0))
  const start = random.below(validators)
  const members = Array.from({ length: Math.min(count, validators) }, (_, i) => (start + i) % validators)
  return { from: startTime + random.below(4000), to: healAt, members }
}

/** Clocks that are set by minutes while they run: one forward, or any of them back. */
function drawJumps(random: Random, validators: number, healAt: number) {
  const isBack = random.percent(70)
  const members = isBack ? Array.from({ length: validators }, () => random.percent(50)) : []
  if (!isBack && validators > 3) members[random.below(validators)] = true
  const from = startTime + random.below(healAt - startTime)
  const to = from + random.below(healAt - from)
  const step = random.between(1, 10) * 60_000 * (isBack ? -1 : 1)
  return (index: number, time: number) => (members[index] && from <= time && time < to ? step : 0)
}

/** Bytes from which on messages with a block in them are long. */
const longBlock = 5000

function drawAway(random: Random, validators: number): ReadonlySet<number> {
  const max = Math.floor((validators - 1) / 3)
  const count = max === 0 ? 0 : random.between(1, max)
  const away = new Set<number>()
  while (away.size < count) away.add(random.below(validators))
  return away
}

/** Draws from the faults that are allowed; with a topology if one is asked for. */
export function drawFaults(
  random: Random,
  validators: number,
  allowed: ReadonlySet<FaultName>,
  topology?: TopologyName | 'random',
): FaultPlan {
  const isFew = allowed.size <= maxFew
  const shareOf = (fault: FaultName) => (isFew ? shareOfFew : (shares[fault] ?? 40))
  const drawn = new Set(faultNames.filter((fault) => random.percent(shareOf(fault)) && allowed.has(fault)))
  const isQuiet = !topology && drawn.has('disk') && random.percent(10)
  if (isQuiet) for (const fault of drawn) if (fault !== 'disk') drawn.delete(fault)
  if (topology) drawn.add('topology')
  // Who passes on messages for others must be a validator, and an honest one; and no more may be wrong than are away.
  if (drawn.has('topology') || drawn.has('away'))
    for (const fault of ['byzantine', 'votes', 'transitions', 'contract'] as const) drawn.delete(fault)
  const has = (fault: FaultName) => drawn.has(fault)
  const isLong = has('outage') || isQuiet
  // Now and then a long time, in which rounds get high.
  const time = isLong
    ? random.between(60_000, 150_000)
    : random.between(shortest, random.percent(8) ? 4 * longest : longest)
  const healAt = startTime + time
  const skew = has('skew') ? random.pick([300, 900, 3000]) : 0
  const skews = Array.from({ length: validators }, () => random.between(-skew, skew))
  const away = has('away') ? drawAway(random, validators) : new Set<number>()
  const jump = has('clock') ? drawJumps(random, validators, healAt) : () => 0
  return {
    has,
    healAt,
    isQuiet,
    crashes: has('crash') ? random.pick([0.3, 1, 3]) : 0,
    partitions: has('partition')
      ? Array.from({ length: random.between(1, 4) }, () => drawPartition(random, validators, healAt))
      : [],
    outages: has('outage') ? [drawOutage(random, validators, healAt)] : [],
    failures: isQuiet
      ? drawLongFailures(validators, healAt)
      : has('disk')
        ? Array.from({ length: random.between(1, 2 * validators) }, () => drawFailure(random, validators, healAt))
        : [],
    loss: has('loss') ? random.pick([1, 5, 15, 30]) : 0,
    duplicates: has('duplicate') ? random.pick([2, 10, 30]) : 0,
    delay: has('delay') ? random.pick([200, 800, 3000]) : 50,
    skewOf: (index, at) => (at >= healAt ? 0 : skews[index]! + jump(index, at)),
    maxSkew: skew,
    gossips: has('topology') || random.percent(20),
    isLinked: has('topology')
      ? drawTopology(random, validators, away, topology === 'random' ? undefined : topology)
      : () => true,
    away,
    blockBytes: has('large') ? longBlock : 0,
    reconnects: !isQuiet && random.percent(topology ? 30 : 80),
  }
}
