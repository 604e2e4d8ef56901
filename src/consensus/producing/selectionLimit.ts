/** A block that became the head. */
interface SeenBlock {
  /** Milliseconds since 1970. */
  readonly now: number
  /** Seconds since 1970. */
  readonly timestamp: bigint
  readonly gasUsed: bigint
  readonly bytes: number
}

/** Limits how much a block takes from the pool, so that the validators keep their period. */
export interface SelectionLimit {
  /** To be called with each new head. */
  onBlock(block: SeenBlock): void
  /** Begins a block, `period` seconds after its parent if there is a period; returns whether it is to take no more, after so much gas and so many bytes. */
  begin(now: number, period: number | undefined): (now: number, gasUsed: bigint, bytes: number) => boolean
}

/**
 * Maximum milliseconds to select transactions, and the maximum share of the block period: the other validators need as
 * long to execute them again, longer where they share a machine, and the rest remains for agreement and writing.
 */
const maxTime = 5000
const maxShare = 0.25
/** Share of the period, from its time stamp to being the head, after which a block was too large. */
const lateShare = 0.75
/** What remains of the gas of a block that was too large for the next ones, and by how much it grows after one that was not. */
const decrease = 0.7
const growth = 1.15
/** The same after a block that took much less than it was allowed to, and so shows little. */
const slowGrowth = 1.01
const littleUse = 0.5
/** How many times the gas of a block in time the next ones may have, as long as none is late. */
const startGrowth = 2
/** How many times the average of the last blocks the next one may have after a late one, and the weight of a block in that average. */
const maxRatio = 1.5
const weight = 0.25
/** Blocks in time in a row after which a late one is forgotten. */
const maxCalm = 60
/**
 * Gas that a block may always have, and, for each second of the period, that it has at least until blocks that large are late. The
 * former is little enough for every machine: one that gets no processor time is late with empty blocks too, and smaller blocks
 * would only let its pool fill. The latter is for bursts on an idle network.
 */
export const minGas = 2_000_000
export const startGas = 25_000_000

/**
 * Gas that a byte counts for where less was paid, as for zeros: each is hashed, sent and written several times. Ordinary
 * transactions pay more.
 */
export const gasPerByte = 20

function costOf(gasUsed: bigint, bytes: number): number {
  return Math.max(Number(gasUsed), bytes * gasPerByte)
}

/**
 * Blocks may be twice as large as one that was in time, until one is late. From then on their gas is what the validators managed
 * before, a little more each time: blocks that each take all that they find swing between huge and empty ones. All of this follows from
 * blocks that every validator has seen, so that each of them allows about the same.
 */
export function createSelectionLimit(): SelectionLimit {
  let maxGas = 0
  let average = 0
  /** Blocks in time since the last late one. */
  let calm = maxCalm
  let lastPeriod: number | undefined
  let lastSeen = 0
  /** When the last block was due, where its timestamp does not say that. */
  let lastDue: number | undefined

  function judge(gasUsed: number, isLate: boolean, atStart: number): void {
    const isUsed = gasUsed >= maxGas * littleUse
    average += (gasUsed - average) * weight
    calm = isLate ? 0 : calm + 1
    if (isLate) {
      if (isUsed) maxGas = Math.max(minGas, Math.min(maxGas, gasUsed * decrease))
    } else if (calm > maxCalm) maxGas = Math.max(maxGas, gasUsed * startGrowth)
    else {
      const grown = Math.max(maxGas, gasUsed) * (isUsed ? growth : slowGrowth)
      maxGas = Math.min(grown, Math.max(atStart, average * maxRatio))
    }
  }

  /** Parts of a second are not in the timestamp: then a block is due a period after the last one, or when the quickest one comes. */
  function dueAt(now: number, timestamp: bigint): number {
    const atLeast = Number(timestamp) * 1000
    if (!lastPeriod || Number.isInteger(lastPeriod)) return atLeast
    lastDue = Math.min(now, Math.max(lastSeen, atLeast, (lastDue ?? now) + lastPeriod * 1000))
    return lastDue
  }

  return {
    onBlock({ now, timestamp, gasUsed, bytes }) {
      // If its parent was late, it could not begin when it was due.
      const taken = now - Math.max(lastSeen, dueAt(now, timestamp))
      lastSeen = now
      if (lastPeriod)
        judge(costOf(gasUsed, bytes), gasUsed > 0n && taken > lateShare * lastPeriod * 1000, startGas * lastPeriod)
    },
    begin(start, period) {
      lastPeriod = period
      if (period) maxGas ||= startGas * period
      const time = period ? Math.min(maxTime, maxShare * period * 1000) : maxTime
      return (now, gasUsed, bytes) => now - start > time || (!!period && costOf(gasUsed, bytes) >= maxGas)
    },
  }
}
