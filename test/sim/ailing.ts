import { createAttendance } from '../../src/consensus/bft/attendance.ts'
import { createPacemaker } from '../../src/consensus/bft/pacemaker.ts'
import { withParts } from './bftMutants.ts'
import type { BftTrade } from './bftNode.ts'
import type { World } from './world.ts'

/** What is wrong with some validators while the others are well. */
export const limpFaults = [
  'dead',
  'hung',
  'cut',
  'slow',
  'slow after a pause',
  'mute',
  'deaf',
  'flapping',
  'stuttering',
  'clock +5 s',
  'clock -5 s',
  'clock +60 s',
  'clock -60 s',
  'invalid blocks',
  'impatient',
] as const
export type LimpFault = (typeof limpFaults)[number]

const quickest = 5
const slowest = 50
const slowBy = 500
/** Milliseconds for which one that is slow later says nothing, so that it misses a turn. */
const pause = 12_000
/** Seconds by which an invalid block is in the future. */
const invalidBy = 44n

/** What those are made of who have something that no way and no clock has; undefined for all others. */
export function ailingTrade(fault: LimpFault, isOn: () => boolean): BftTrade | undefined {
  if (fault === 'invalid blocks')
    return withParts(({ blocks }) => ({
      blocks: {
        ...blocks,
        build: (plan) => blocks.build(isOn() ? { ...plan, timestamp: plan.timestamp + invalidBy } : plan),
      },
    }))
  // Leaves each round in which another proposes as soon as it can.
  if (fault === 'impatient')
    return withParts(() => ({
      createAttendance(options) {
        const attendance = createAttendance(options)
        return { ...attendance, patience: (who, terms) => (isOn() ? 0 : attendance.patience(who, terms)) }
      },
    }))
  return undefined
}

/** A validator that waits for the timeout and follows quorums only, as Besu does. */
export const besuTrade: BftTrade = withParts(({ protocol }) => ({
  protocol: { ...protocol, signsBlocks: false },
  createAttendance: (options) => ({ ...createAttendance(options), patience: () => undefined }),
  createPacemaker(options) {
    const pace = createPacemaker(options)
    let time = options.base
    return {
      ...pace,
      enter(round) {
        pace.enter(round)
        time = options.base * 2 ** round
        return time
      },
      wait: () => time,
      expire: () => 'next',
      noteRound(author, round) {
        pace.noteRound(author, round)
        return false
      },
      reconnect: () => false,
      roundToCatchUp: () => undefined,
    }
  },
}))

/** Milliseconds by which a clock is ahead. */
export const clockOf = (fault: LimpFault) => (fault.startsWith('clock') ? Number(/[+-]\d+/.exec(fault)![0]) * 1000 : 0)

/** The ways of a network of which some members are not well. */
export interface AilingWays {
  carry(from: number, to: number, arrive: () => void): void
  begin(): void
  end(): void
  isOn(): boolean
  /** Holds back what those say and hear who come and go, until they are back. */
  setAway(isAway: boolean): void
}

export function createAilingWays(world: World, fault: LimpFault, faulty: ReadonlySet<number>): AilingWays {
  let since: number | undefined
  let isAway = false
  let waiting: (() => void)[] = []

  /** Milliseconds that something takes; undefined where it gets lost. */
  function timeOf(from: number, to: number): number | undefined {
    const usual = world.random.between(quickest, slowest)
    if (since === undefined || (!faulty.has(from) && !faulty.has(to))) return usual
    switch (fault) {
      case 'slow':
        return usual + slowBy
      case 'slow after a pause':
        return world.now() < since + pause ? undefined : usual + slowBy
      case 'cut':
      case 'hung':
        return undefined
      case 'mute':
        return faulty.has(from) ? undefined : usual
      case 'deaf':
        return faulty.has(to) ? undefined : usual
      default:
        return usual
    }
  }

  return {
    carry(from, to, arrive) {
      const time = timeOf(from, to)
      if (isAway && (faulty.has(from) || faulty.has(to))) waiting.push(arrive)
      else if (time !== undefined) world.at(world.now() + time, arrive)
    },
    begin() {
      since = world.now()
    },
    end() {
      since = undefined
    },
    isOn: () => since !== undefined,
    setAway(next) {
      isAway = next
      if (isAway) return
      for (const arrive of waiting) arrive()
      waiting = []
    },
  }
}
