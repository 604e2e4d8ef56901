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
