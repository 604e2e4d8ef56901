import { setImmediate } from 'node:timers/promises'

/** Milliseconds of work after which everything else has its turn. */
const maxTurn = 20

/** Returns what waits for the next turn of the event loop if the work has lasted for long, or in any case with `always`. */
export function createPauses(): (always?: boolean) => Promise<void> {
  let since = 0
  return async (always = false) => {
    if (!always && performance.now() - since < maxTurn) return
    await setImmediate()
    since = performance.now()
  }
}
