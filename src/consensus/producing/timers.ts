import type { Clock } from '../../primitives/clock.ts'

/** Timers, at most one of each kind. */
export interface Timers<T extends { readonly kind: string }> {
  /** Sets a timer, replacing one of the same kind; a time in the past is due at once. */
  set(timer: T, at: number): void
  clear(): void
}

/** Longest delay of a Node.js timer in milliseconds. */
const maxWait = 2 ** 31 - 1

export function createTimers<T extends { readonly kind: string }>(clock: Clock, fire: (timer: T) => void): Timers<T> {
  const cancels = new Map<string, () => void>()

  function wait(timer: T, at: number): void {
    const left = Math.max(0, at - clock.now())
    const cancel = clock.after(Math.min(left, maxWait), () => {
      cancels.delete(timer.kind)
      // Timers may fire a little early, but peers reject blocks from the future.
      if (clock.now() < at) wait(timer, at)
      else fire(timer)
    })
    cancels.set(timer.kind, cancel)
  }

  return {
    set(timer, at) {
      cancels.get(timer.kind)?.()
      wait(timer, at)
    },
    clear() {
      for (const cancel of cancels.values()) cancel()
      cancels.clear()
    },
  }
}
