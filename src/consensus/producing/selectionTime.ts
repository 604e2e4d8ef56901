/** What the time for a selection depends on. */
interface SelectionMoment {
  /** Milliseconds since 1970. */
  readonly now: number
  /** Seconds between blocks; 0 or undefined where they come as they are wanted. */
  readonly period: number | undefined
  /** Seconds since 1970. */
  readonly parentTimestamp: bigint
  readonly parentIsEmpty: boolean
}

/**
 * Milliseconds that the selection of transactions may take at most, and its share of the time between blocks: the other
 * validators need as long to run them again, and all have to agree and to write within the rest.
 */
const longest = 5000
const maxShare = 0.4
const minShare = 0.04
/** By how much the share grows after a block that was in time. */
const growth = 1.5
/** A block is late when the next one is begun this share of the period after it is due. */
const tolerance = 0.25

/**
 * Milliseconds for the selection of each next block. Where full blocks make the chain fall behind its period, because
 * the validators' machines cannot keep up, blocks become smaller until they come in time again.
 */
export function createSelectionTime(): (moment: SelectionMoment) => number {
  let share = maxShare
  return ({ now, period, parentTimestamp, parentIsEmpty }) => {
    if (!period) return longest
    const lateness = now / 1000 - Number(parentTimestamp) - period
    // A block without transactions was not late for their sake.
    const isLate = !parentIsEmpty && lateness > tolerance * period
    share = isLate ? share / (1 + lateness / period) : share * growth
    share = Math.min(maxShare, Math.max(minShare, share))
    return Math.min(longest, share * period * 1000)
  }
}
