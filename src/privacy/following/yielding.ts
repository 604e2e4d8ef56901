/** Milliseconds after which others have their turn. */
const maxTurn = 20

/** Returns what lets others have their turn if it is time, or in any case with `always`. */
export function createYielding(): (always?: boolean) => Promise<void> {
  let since = 0
  return async (always = false) => {
    if (!always && performance.now() - since < maxTurn) return
    await new Promise((resolve) => setImmediate(resolve))
    since = performance.now()
  }
}

/**
 * Returns what somebody who runs code waits for between two slices: one goes on in each turn of the event loop, however many there
 * are, so that those who run code get no more of it together than one alone.
 */
export function createTurns(): () => Promise<void> {
  let last: Promise<void> = Promise.resolve()
  return () => {
    last = last.then(() => new Promise((resolve) => setImmediate(resolve)))
    return last
  }
}
