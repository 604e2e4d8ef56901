import type { Duplex } from 'node:stream'

/** What has collected bytes for one client. */
export interface Collector {
  readonly socket: Pick<Duplex, 'write'>
  /** Takes what was collected; undefined if there is nothing. */
  take(): Buffer | undefined
}

/** Lets many outboxes write what they have collected, once each, while others have their turn. */
export interface Flusher {
  add(collector: Collector): void
}

/** Milliseconds of writing after which everything else has its turn. */
const maxTurn = 5
/**
 * Clients that are written to one at a time: where many of them are one program, it reads the first while the others are written,
 * and the system need not wake it for each.
 */
const together = 256

export function createFlusher(now: () => number = () => performance.now()): Flusher {
  let waiting: Collector[] = []
  let next = 0

  function work(): void {
    const end = now() + maxTurn
    while (next < waiting.length) {
      const some = waiting.slice(next, next + together)
      next += some.length
      const pieces = some.map((one) => one.take())
      for (const [i, piece] of pieces.entries()) if (piece) some[i]!.socket.write(piece)
      if (now() < end) continue
      setImmediate(work)
      return
    }
    waiting = []
    next = 0
  }

  return {
    add(collector) {
      if (waiting.push(collector) === 1) setImmediate(work)
    },
  }
}
