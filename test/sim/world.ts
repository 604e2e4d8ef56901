import { createRandom, type Random } from '../fuzz/random.ts'
import { createEventQueue } from './eventQueue.ts'

/** A promise of the protocol that was broken. */
export class Violation extends Error {}

/** Time and chance of one run: nothing happens but by its queue, and the same seed gives the same run. */
export interface World {
  readonly random: Random
  /** Milliseconds since 1970. */
  now(): number
  /** Lets something happen at a time; what is due already happens next. */
  at(time: number, happen: () => void): void
  /** A line of the trace; made only where somebody reads it. */
  note(line: () => string): void
  /** Goes on until a condition holds; false when time is up first. */
  run(isDone: () => boolean, until: number): boolean
  /** Ends the run, from where an exception would be caught on its way. */
  fail(violation: Violation): void
  /** Things that have happened. */
  steps(): number
}

/** When all runs begin: a whole second, which block periods count from. */
export const startTime = 1_700_000_000_000

/** Things that may happen in one millisecond. */
const maxAtOnce = 50_000

export function createWorld(seed: number, trace?: (line: string) => void): World {
  const queue = createEventQueue()
  let now = startTime
  let steps = 0
  let atOnce = 0
  let broken: Violation | undefined
  return {
    random: createRandom(seed),
    now: () => now,
    at: (time, happen) => queue.add(Math.max(time, now), happen),
    note(line) {
      trace?.(`${((now - startTime) / 1000).toFixed(3).padStart(9)} s  ${line()}`)
    },
    run(isDone, until) {
      while (!isDone()) {
        const next = queue.take(until)
        if (!next) {
          now = Math.max(now, until)
          return false
        }
        atOnce = next.at === now ? atOnce + 1 : 0
        if (atOnce > maxAtOnce) throw new Violation('goes round in circles, and time stands still')
        now = next.at
        steps++
        next.happen()
        if (broken) throw broken
      }
      return true
    },
    fail(violation) {
      broken ??= violation
    },
    steps: () => steps,
  }
}
