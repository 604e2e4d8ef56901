import { BlockError } from '../execution/fault.ts'
import type { Clock } from '../system/clock.ts'
import type { Header } from '../types/header.ts'

/** Throws if the block's timestamp is more than the tolerance ahead of the clock. */
export function checkClock({ timestamp }: Header, clock: Clock, toleranceSeconds: bigint): void {
  const limit = BigInt(Math.floor(clock.now() / 1000)) + toleranceSeconds
  if (timestamp > limit) throw new BlockError({ code: 'TIMESTAMP_IN_FUTURE', have: timestamp, limit })
}
