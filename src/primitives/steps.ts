/** Work that can be paused between its steps. */
export type Steps<T> = Generator<void, T, void>

/** Milliseconds of work between two turns of the event loop. */
const maxSlice = 3

/** Does all steps at once. */
export function runSteps<T>(steps: Steps<T>): T {
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
  }
}

/** Does the steps, a few milliseconds at a time; returns undefined if they are given up because `isOver` says so after a turn. */
export async function runInTurns<T>(
  steps: Steps<T>,
  nextTurn: () => Promise<void>,
  isOver: () => boolean,
): Promise<T | undefined> {
  for (let until = performance.now() + maxSlice; ; ) {
    const { done, value } = steps.next()
    if (done) return value
    if (performance.now() < until) continue
    await nextTurn()
    if (isOver()) return undefined
    until = performance.now() + maxSlice
  }
}
