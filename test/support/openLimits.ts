import type { ApiLimits } from '../../src/rpc/protocol/context.ts'

/** Limits of queries that restrict nothing. */
export const openLimits: ApiLimits = {
  maxLogsRange: 0n,
  gasPrice: { blocks: 100, percentile: 50, max: 500_000_000_000n },
}
