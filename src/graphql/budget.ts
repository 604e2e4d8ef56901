import { QueryError } from './fault.ts'

/** What one request may cost. */
export interface QueryLimits {
  /** Values in the answer, about; long bytes and read blocks count as several. */
  readonly values: number
  /** Milliseconds. */
  readonly time: number
}

/** A request's account of what it costs. */
export interface Budget {
  /** Throws when the request has become too large or too slow. */
  spend(values: number): void
}

/** Values between two looks at the clock, which cost more than counting. */
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
