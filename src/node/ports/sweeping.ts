import type { Pool } from '../../pool/pool.ts'
import type { Clock } from '../../primitives/clock.ts'
import type { Filters } from '../../rpc/events/filters.ts'

/** Milliseconds between two sweeps. */
const interval = 10_000

/** Removes expired filters and transactions from time to time; returns a function that stops it. */
export function startSweeping(
  filters: readonly Pick<Filters, 'sweep'>[],
  pool: Pick<Pool, 'expire'>,
  clock: Clock,
): () => void {
  let cancel = clock.after(interval, sweep)
  function sweep(): void {
    cancel = clock.after(interval, sweep)
    for (const some of filters) some.sweep(clock.now())
    pool.expire(clock.now())
  }
  return () => cancel()
}
