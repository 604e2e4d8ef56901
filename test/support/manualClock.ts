import type { Clock } from '../../src/system/clock.ts'

/** A clock that stands still until it is moved. */
export interface ManualClock extends Clock {
  /** Lets time pass until `ready` says so: timers fire in order, each at its own time. Fails after `limit` milliseconds. */
  runUntil(ready: () => boolean, limit?: number): void
  /** Lets this many milliseconds pass. */
  run(milliseconds: number): void
}

interface Waiting {
  readonly at: number
  readonly action: () => void
}

export function createManualClock(start: number): ManualClock {
  let now = start
  let waiting: Waiting[] = []

  /** Fires the next timer that is due by then; of two at one time the first that was set. */
  function step(until: number): boolean {
    let next: Waiting | undefined
    for (const one of waiting) if (one.at <= until && (!next || one.at < next.at)) next = one
    if (!next) return false
    waiting = waiting.filter((one) => one !== next)
    now = Math.max(now, next.at)
    next.action()
    return true
  }

  return {
    now: () => now,
    after(milliseconds, action) {
      const one = { at: now + milliseconds, action }
      waiting.push(one)
      return () => {
        waiting = waiting.filter((other) => other !== one)
      }
    },
    runUntil(ready, limit = 600_000) {
      const end = now + limit
      while (!ready()) if (!step(end)) throw new Error('nothing happens any more')
    },
    run(milliseconds) {
      const end = now + milliseconds
      while (step(end));
      now = end
    },
  }
}
