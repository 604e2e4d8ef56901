import { dropOldest } from '../primitives/dropOldest.ts'

/** How much time of the CPU requests are expected to take, by client and method. */
export interface Costs {
  /** Milliseconds. */
  expected(client: string, method: string): number
  record(client: string, method: string, milliseconds: number): void
}

/** Requests that take longer, in milliseconds, are slow: they never take the last reader. */
export const slowFrom = 50

/** Expectation of what a client has not asked yet. */
const unknownCost = 0.5
/** Methods that replay blocks, or run calls step by step. */
const replaying = /^(trace_|debug_(standardT|t)race)/
/** Pairs of client and method that are remembered. */
const maxKnown = 10_000
/** Part of the expectation that the last request makes up. */
const weight = 0.3

export function createCosts(): Costs {
  const known = new Map<string, number>()
  const keyOf = (client: string, method: string) => `${client} ${method}`
  function expected(client: string, method: string): number {
    return known.get(keyOf(client, method)) ?? (replaying.test(method) ? slowFrom : unknownCost)
  }
  return {
    expected,
    record(client, method, milliseconds) {
      const key = keyOf(client, method)
      const before = known.get(key)
      // Anew, so that the pair that was used longest ago is the first.
      known.delete(key)
      known.set(key, before === undefined ? milliseconds : before + weight * (milliseconds - before))
      dropOldest(known, maxKnown)
    },
  }
}
