import { dropOldest } from '../../primitives/dropOldest.ts'
import { LongRunError } from '../../query/boundedEvm.ts'
import type { Evms } from '../../query/evms.ts'

/** Calls that the node begins itself: most are short, and to hand one over costs more than to run it. */
export interface FirstAttempts {
  /** Whether a client's calls of this kind are begun in the node: not for a while after some that turned out to be long. */
  mayBegin(client: string, method: string): boolean
  /** Runs a call within bounds; undefined if it needs more than a few milliseconds, and has to begin anew elsewhere. */
  attempt<T>(client: string, method: string, evms: Evms | undefined, run: () => T): T | undefined
}

/**
 * Milliseconds that a client's calls of a method go to readers after one that was long; twice as many after each further one.
 * So clients that send nothing else take little of the node's time.
 */
const pause = { first: 50, last: 1600 }
/** Pairs of client and method that are remembered. */
const maxKnown = 10_000

/** `maxGas` is what the code of a request may spend in the node; 0 begins nothing there. */
export function createFirstAttempts(maxGas: bigint, now: () => number): FirstAttempts {
  const paused = new Map<string, { readonly until: number; readonly length: number }>()
  const keyOf = (client: string, method: string) => `${client} ${method}`

  function extend(key: string): void {
    const before = paused.get(key)
    const length = before ? Math.min(2 * before.length, pause.last) : pause.first
    // Anew, so that the pair that was used longest ago is the first.
    paused.delete(key)
    paused.set(key, { until: now() + length, length })
    dropOldest(paused, maxKnown)
  }

  return {
    mayBegin(client, method) {
      if (paused.size === 0) return maxGas > 0n
      const found = paused.get(keyOf(client, method))
      return !found || now() >= found.until
    },
    attempt(client, method, evms, run) {
      try {
        const result = evms ? evms.within(maxGas, run) : run()
        if (paused.size > 0) paused.delete(keyOf(client, method))
        return result
      } catch (error) {
        if (!(error instanceof LongRunError)) throw error
        extend(keyOf(client, method))
        return undefined
      }
    },
  }
}
