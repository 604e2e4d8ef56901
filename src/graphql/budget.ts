import { QueryError } from './fault.ts'

/** The limits of one request. */
export interface QueryLimits {
  /** Approximate number of values in the response; long bytes and blocks that are read count as several. */
  readonly values: number
  /** Milliseconds. */
  readonly time: number
}

/** Counts what a request costs. */
export interface Budget {
  /** Throws if the request is too large or too slow. */
  spend(values: number): void
}

/** Values between two checks of the time, which cost more than counting. */
const clockEvery = 64

export function createBudget({ values, time }: QueryLimits, now: () => number): Budget {
  const end = now() + time
  let left = values
  let untilClock = clockEvery
  return {
    spend(count) {
      left -= count
      if (left < 0) throw new QueryError({ code: 'TOO_LARGE', limit: values })
      untilClock -= count
      if (untilClock > 0) return
      untilClock = clockEvery
      if (now() > end) throw new QueryError({ code: 'TOO_SLOW', seconds: time / 1000 })
    },
  }
}
