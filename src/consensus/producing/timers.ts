import type { Clock } from '../../system/clock.ts'

/**
 * When a timer is due: at a time of day, where a block must not be early; or after some milliseconds, which a clock that
 * is set does not change.
 */
export type Due = { readonly at: number } | { readonly after: number }

/** Wake-ups by kind, one of each. */
export interface Timers<T extends { readonly kind: string }> {
  /** Replaces the timer of the same kind. */
  set(timer: T, due: Due): void
  clear(): void
}

/** Longest delay of a Node.js timer in milliseconds. */
const maxWait = 2 ** 31 - 1
/** Milliseconds after which the time of day is looked at again: the clock may have been set meanwhile. */
const maxSleep = 1000

export function createTimers<T extends { readonly kind: string }>(clock: Clock, fire: (timer: T) => void): Timers<T> {
  const cancels = new Map<string, () => void>()

  function wait(timer: T, milliseconds: number, then: () => void): void {
    const cancel = clock.after(Math.min(milliseconds, maxWait), () => {
      cancels.delete(timer.kind)
      then()
    })
    cancels.set(timer.kind, cancel)
  }

  function waitUntil(timer: T, at: number): void {
    wait(timer, Math.max(0, Math.min(at - clock.now(), maxSleep)), () => {
      // Node's timers may be a little early, and a block must not be: others refuse one from the future.
      if (clock.now() < at) waitUntil(timer, at)
      else fire(timer)
    })
  }

  return {
    set(timer, due) {
      cancels.get(timer.kind)?.()
      if ('at' in due) waitUntil(timer, due.at)
      else wait(timer, due.after, () => fire(timer))
    },
    clear() {
      for (const cancel of cancels.values()) cancel()
      cancels.clear()
    },
  }
}
