/** Lets many outboxes write what they have collected, once each, while others have their turn. */
export interface Flusher {
  add(flush: () => void): void
}

/** Milliseconds of writing after which everything else has its turn. */
const maxTurn = 5

export function createFlusher(now: () => number = () => performance.now()): Flusher {
  let waiting: (() => void)[] = []
  let next = 0

  function work(): void {
    const end = now() + maxTurn
    while (next < waiting.length) {
      waiting[next++]!()
      if (now() < end) continue
      setImmediate(work)
      return
    }
    waiting = []
    next = 0
  }

  return {
    add(flush) {
      if (waiting.push(flush) === 1) setImmediate(work)
    },
  }
}
