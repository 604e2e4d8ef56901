import { blockPeriodOf } from '../../src/forks/bftTransitions.ts'
import type { BftSetting } from './bftSetting.ts'
import type { FaultPlan } from './faults.ts'

/** What messages and blocks need on healthy ways, per node that has to pass them on. */
const networkTime = 1000
const hopTime = 400

/** The longest that a round may last. */
export const maxRoundTime = (timeout: number) => Math.max(16 * timeout, 60_000)

/**
 * Milliseconds within which everyone has to have the next block: two request timeouts and a block period. A byzantine
 * proposer may waste its round, and the next has twice the time; so those in a row cost one, then two more, then four …
 */
export function recoveryTime({ config, keys, byzantine }: BftSetting, faults: FaultPlan): number {
  const timeout = config.requestTimeoutSeconds * 1000
  const periods = [config, ...config.transitions].map((one) =>
    Math.max(blockPeriodOf(one), (one.emptyBlockPeriodSeconds ?? 0) * 1000),
  )
  const wasted = timeout * 2 * (2 ** byzantine.size - 1)
  const relaying = faults.has('topology') ? keys.length * hopTime : 0
  // A block must not be older than one whose maker had a fast clock.
  const clocks = faults.maxSkew > 0 ? faults.maxSkew + 1000 : 0
  // Each who is away costs a round when it is its turn; and what was lost is repeated at the pace that rounds have by then.
  const absent = timeout * faults.away.size + (faults.reconnects ? 0 : maxRoundTime(timeout))
  return 2 * timeout + absent + Math.max(...periods) + networkTime + relaying + wasted + clocks
}
