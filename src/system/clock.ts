/** Time as a port: tests pass a clock that they advance themselves. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number
  /** Calls `action` once after the delay; returns a function that cancels it. */
  after(milliseconds: number, action: () => void): () => void
}

export const systemClock: Clock = {
  now: Date.now,
  after(milliseconds, action) {
    const timer = setTimeout(action, milliseconds)
    return () => clearTimeout(timer)
  },
}
