import type { GivenTexts } from './option.ts'

/** Limits of each kind of pool, by option. */
export const poolLimits = {
  layered: ['tx-pool-max-future-by-sender', 'tx-pool-layer-max-capacity'],
  legacy: ['tx-pool-max-size', 'tx-pool-limit-by-account-percentage', 'tx-pool-retention-hours'],
} as const

/**
 * The pool of a node that names none. Before Besu 23.10 it was the legacy one: set-ups from then have its limits, and mean it,
 * where Besu refuses to start.
 */
export function poolOf(given: GivenTexts): 'layered' | 'legacy' {
  const has = (kind: keyof typeof poolLimits) => poolLimits[kind].some((name) => given.has(name))
  return has('legacy') && !has('layered') ? 'legacy' : 'layered'
}
