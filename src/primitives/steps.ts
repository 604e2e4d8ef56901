/**
 * Work that can be paused between its steps. It knows neither clock nor event loop: `runSteps` does it at once, `runInTurns` beside
 * other work.
 */
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

/** Makes steps of an action that cannot be paused. */
export function oneStep<A extends unknown[], T>(action: (...given: A) => T): (...given: A) => Steps<T> {
  return function* (...given) {
    yield
    return action(...given)
  }
}

/** Resolves when the event loop has turned. */
export type NextTurn = () => Promise<void>

/** Does the steps, a few milliseconds at a time, in turns with everything else that the thread has to do. */
export async function runInTurns<T>(steps: Steps<T>, nextTurn: NextTurn): Promise<T> {
  for (let until = performance.now() + maxSlice; ; ) {
    const { done, value } = steps.next()
    if (done) return value
    if (performance.now() < until) continue
    await nextTurn()
    until = performance.now() + maxSlice
  }
}
