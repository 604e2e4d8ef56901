/** A block that became the head. */
interface SeenBlock {
  /** Milliseconds since 1970. */
  readonly now: number
  /** Seconds since 1970. */
  readonly timestamp: bigint
  readonly gasUsed: bigint
}

/** Limits how much a block takes from the pool, so that the validators keep their period. */
export interface SelectionLimit {
  /** To be called with each new head. */
  onBlock(block: SeenBlock): void
  /** Begins a block, `period` seconds after its parent if there is a period; returns whether it is to take no more, after so much gas. */
  begin(now: number, period: number | undefined): (now: number, gasUsed: bigint) => boolean
}

/**
 * Maximum milliseconds to select transactions, and the maximum share of the block period: the other validators need as
 * long to execute them again, and the rest remains for agreement and writing.
 */
const maxTime = 5000
const maxShare = 0.4
/** Share of the period, from its time stamp to being the head, after which a block was too large. */
const lateShare = 0.75
/** What remains of the gas of the next blocks after one that was too large, and by how much it grows after one that was not. */
const decrease = 0.7
const growth = 1.15
/** The same after a block that took much less than it was allowed to, and so shows little. */
const slowGrowth = 1.05
const littleUse = 0.5
/**
 * Gas that a block may always have, and that it has at least after the first late one. The former is little enough for every
 * machine: one that gets no processor time is late with empty blocks too, and smaller blocks would only let its pool fill.
 * The latter is for networks on which a block is late for other reasons, such as an absent validator.
 */
export const minGas = 2_000_000
export const minFirstGas = 10_000_000

/**
 * Blocks may take as much as they find until one of them is late. From then on their gas is what the validators managed
 * before, a little more each time: blocks that each take all that they can in a given time swing between huge and empty ones.
 */
export function createSelectionLimit(): SelectionLimit {
  let maxGas = Number.POSITIVE_INFINITY
  let lastPeriod: number | undefined
  let lastSeen = 0

  function judge(gasUsed: number, isLate: boolean): void {
    if (maxGas === Number.POSITIVE_INFINITY) {
      if (isLate) maxGas = Math.max(minFirstGas, gasUsed * decrease)
      return
    }
    const isUsed = gasUsed >= maxGas * littleUse
    if (!isLate) maxGas *= isUsed ? growth : slowGrowth
    else if (isUsed) maxGas = Math.max(minGas, maxGas * decrease)
  }

  return {
    onBlock({ now, timestamp, gasUsed }) {
      // If its parent was late, it could not begin when it was due.
      const taken = now - Math.max(lastSeen, Number(timestamp) * 1000)
      lastSeen = now
      if (lastPeriod) judge(Number(gasUsed), gasUsed > 0n && taken > lateShare * lastPeriod * 1000)
    },
    begin(start, period) {
      lastPeriod = period
      const time = period ? Math.min(maxTime, maxShare * period * 1000) : maxTime
      return (now, gasUsed) => now - start > time || (!!period && gasUsed >= maxGas)
    },
  }
}
