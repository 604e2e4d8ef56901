/** Time, as a port: tests hand in one that they move themselves. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number
  /** Calls back once; gives a function that cancels it. */
  after(milliseconds: number, action: () => void): () => void
}

export const systemClock: Clock = {
  now: Date.now,
  after(milliseconds, action) {
    const timer = setTimeout(action, milliseconds)
    return () => clearTimeout(timer)
  },
}
