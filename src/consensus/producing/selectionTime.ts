/** What the selection time depends on. */
interface SelectionMoment {
  /** Milliseconds since 1970. */
  readonly now: number
  /** Seconds between blocks; 0 or undefined if there is no period. */
  readonly period: number | undefined
  /** Seconds since 1970. */
  readonly parentTimestamp: bigint
  readonly parentIsEmpty: boolean
}

/**
 * Maximum milliseconds to select transactions, and the maximum share of the block period below: the other validators
 * need as long to execute them again, and the rest remains for agreement and writing.
 */
const maxTime = 5000
const maxShare = 0.4
const minShare = 0.04
/** Factor by which the share grows after a block that was in time. */
const growth = 1.5
/** A block is late if the next one starts later than due by this share of the period. */
const tolerance = 0.25

/**
 * Gas up to which a selection has its full time, whatever came before: little enough for every machine. One that gets no
 * processor time is late with empty blocks too, and smaller blocks would only let its pool fill.
 */
export const minGas = 2_000_000n

/** Milliseconds to select the transactions of a block. */
interface SelectionTime {
  readonly time: number
  /** The same for the first transactions, up to `minGas`. */
  readonly fullTime: number
}

/** Returns whether the time for selecting transactions is over, after `elapsed` milliseconds and so much gas. */
export function isSelectionOver({ time, fullTime }: SelectionTime, elapsed: number, gasUsed: bigint): boolean {
  return elapsed > (gasUsed < minGas ? fullTime : time)
}

/**
 * Returns the time to select the transactions of each block. If full blocks are late, because the validators cannot keep
 * up with the block period, blocks become smaller until they are in time again.
 */
export function createSelectionTime(): (moment: SelectionMoment) => SelectionTime {
  let share = maxShare
  return ({ now, period, parentTimestamp, parentIsEmpty }) => {
    if (!period) return { time: maxTime, fullTime: maxTime }
    const lateness = now / 1000 - Number(parentTimestamp) - period
    // If the parent is empty, its transactions cannot have delayed it.
    const isLate = !parentIsEmpty && lateness > tolerance * period
    share = isLate ? share / (1 + lateness / period) : share * growth
    share = Math.min(maxShare, Math.max(minShare, share))
    const timeOf = (part: number) => Math.min(maxTime, part * period * 1000)
    return { time: timeOf(share), fullTime: timeOf(maxShare) }
  }
}
