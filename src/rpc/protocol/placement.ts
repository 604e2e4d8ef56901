import { dropOldest } from '../../primitives/dropOldest.ts'

/** Where calls that only read and may take long are run. The place of a call is decided once, before it begins. */
export interface Placement {
  /** Whether a call is run here, where others wait for it meanwhile; otherwise a reader runs it. `kind` names calls that take about as long. */
  runsHere(client: string, kind: string): boolean
  /**
   * Notes how long a call took here, in milliseconds. Where something else may have taken that time, such as another process, a kind is long
   * when two of its calls in a row were.
   */
  ranHere(client: string, kind: string, milliseconds: number, isCertain: boolean): void
  /** Notes how long a reader was busy with a call, in milliseconds. */
  ranInReader(kind: string, milliseconds: number): void
}

/** Part of the time from which calls of a kind are long below which they are short again. */
const shortAgain = 0.4
/**
 * Milliseconds for which a client's calls go to readers after one that was long although its kind was not known to be. They double with
 * each further surprise, so that anyone who looks for them gets few, and are forgotten after the same time without one.
 */
const distrust = { first: 100, last: 60_000 }
/** Kinds that are known to be long, and clients that surprised, which are remembered. */
const maxKnown = 10_000

interface Surprises {
  readonly until: number
  readonly length: number
}

/**
 * Most calls are short, and to hand one over costs more than to run it: what is not known to be long is run here. Calls of a kind are long
 * from `minTime` milliseconds on; 0 runs none here.
 */
export function createPlacement(minTime: number, now: () => number): Placement {
  const longKinds = new Set<string>()
  /** Kinds whose last call seemed to be long. */
  const suspects = new Set<string>()
  const surprises = new Map<string, Surprises>()

  function surprise(client: string): void {
    const before = surprises.get(client)
    const length =
      before && now() < before.until + before.length ? Math.min(2 * before.length, distrust.last) : distrust.first
    // The client that surprised longest ago comes first.
    surprises.delete(client)
    surprises.set(client, { until: now() + length, length })
    dropOldest(surprises, maxKnown)
  }

  return {
    runsHere(client, kind) {
      if (minTime === 0 || (longKinds.size > 0 && longKinds.has(kind))) return false
      if (surprises.size === 0) return true
      const found = surprises.get(client)
      return !found || now() >= found.until
    },
    ranHere(client, kind, milliseconds, isCertain) {
      if (milliseconds < minTime) {
        if (suspects.size > 0) suspects.delete(kind)
        return
      }
      if (!isCertain && !suspects.has(kind)) {
        suspects.add(kind)
        dropOldest(suspects, maxKnown)
        return
      }
      suspects.delete(kind)
      longKinds.add(kind)
      dropOldest(longKinds, maxKnown)
      surprise(client)
    },
    ranInReader(kind, milliseconds) {
      if (milliseconds >= minTime) {
        longKinds.delete(kind)
        longKinds.add(kind)
        dropOldest(longKinds, maxKnown)
      } else if (milliseconds < shortAgain * minTime) longKinds.delete(kind)
    },
  }
}
