import type { Hex } from 'viem'

/** A block with its proposer and the round in which it was decided. */
export interface RoundedBlock {
  readonly proposer: Hex
  readonly round: number
}

/**
 * How often each validator let its turn pass. Validators take turns in the order of their addresses: a block of round 2 was
 * first the turn of the two validators before its proposer.
 */
export function countMissedTurns(
  validators: readonly Hex[],
  blocks: readonly RoundedBlock[],
): ReadonlyMap<Hex, number> {
  const order = validators.map((one) => one.toLowerCase() as Hex).sort()
  const missed = new Map<Hex, number>(order.map((one) => [one, 0]))
  for (const { proposer, round } of blocks) {
    const at = order.indexOf(proposer.toLowerCase() as Hex)
    if (at < 0) continue
    for (let back = 1; back <= Math.min(round, order.length - 1); back++) {
      const one = order[(at - back + order.length) % order.length]!
      missed.set(one, missed.get(one)! + 1)
    }
  }
  return missed
}
