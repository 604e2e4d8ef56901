import type { Pool } from '../../pool/pool.ts'
import type { PrivateFilters } from '../../rpc/events/privateFilters.ts'
import type { Clock } from '../../system/clock.ts'

/** Milliseconds between two sweeps. */
const interval = 10_000

/** Removes expired filters and transactions from time to time; returns a function that stops it. */
export function startSweeping(
  filters: Pick<PrivateFilters, 'sweep'> | undefined,
  pool: Pick<Pool, 'expire'>,
  clock: Clock,
): () => void {
  let cancel = clock.after(interval, sweep)
  function sweep(): void {
    cancel = clock.after(interval, sweep)
    filters?.sweep(clock.now())
    pool.expire(clock.now())
  }
  return () => cancel()
}
