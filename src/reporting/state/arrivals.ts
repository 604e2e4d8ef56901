import { type Address, keyOf } from '../../primitives/bytes.ts'

/** What the last blocks say by the times at which they came. */
export interface ArrivalReport {
  /** Seconds from block to block, without standstills; undefined until some have come. */
  readonly period: number | undefined
  /** Seconds by which all blocks of others came after, or with a minus before, their timestamps at least; undefined if there are too few. */
  readonly lag: number | undefined
}

/** Remembers when blocks came that were made just then, and who made them. */
export interface Arrivals {
  /** A block has come: its maker is undefined where blocks do not say, `isOwn` if this node made it. */
  add(block: Arrival): void
  /** Blocks come that were made before: they say nothing. */
  reset(): void
  report(): ArrivalReport
  /** The last blocks' makers, the newest first. */
  makers(): readonly (Address | undefined)[]
  /** When a block of this maker came last. */
  lastOf(maker: Address): number | undefined
}

export interface Arrival {
  /** Milliseconds since 1970, by the clock of this machine. */
  readonly at: number
  /** Seconds since 1970, by the clock of its maker. */
  readonly timestamp: number
  readonly maker: Address | undefined
  readonly isOwn: boolean
}

/** Enough for three turns of 80 validators. */
const kept = 240
/** Intervals that a period is the mean of, and how many are needed. */
const intervals = 12
const minIntervals = 5
/** Blocks of others that must agree on the lag, and milliseconds of an interval that is a standstill. */
const lagBlocks = 4

/** `isStandstill` says of an interval in milliseconds whether it was one. */
export function createArrivals(isStandstill: (interval: number) => boolean): Arrivals {
  let newest: Arrival[] = []

  function period(): number | undefined {
    const gaps = newest
      .slice(0, intervals)
      .flatMap(({ at }, i) => (newest[i + 1] ? [at - newest[i + 1]!.at] : []))
      // A clock that was set back.
      .filter((gap) => gap >= 0 && !isStandstill(gap))
    if (gaps.length < minIntervals) return undefined
    return gaps.reduce((sum, gap) => sum + gap, 0) / gaps.length / 1000
  }

  function lag(): number | undefined {
    const others = newest.filter(({ isOwn }) => !isOwn).slice(0, lagBlocks)
    if (others.length < lagBlocks) return undefined
    const lags = others.map(({ at, timestamp }) => at / 1000 - timestamp)
    return Math.max(...lags) < 0 ? Math.max(...lags) : Math.min(...lags)
  }

  return {
    add(block) {
      newest = [block, ...newest.slice(0, kept - 1)]
    },
    reset() {
      newest = []
    },
    report: () => ({ period: period(), lag: lag() }),
    makers: () => newest.map(({ maker }) => maker),
    lastOf: (maker) => newest.find((one) => one.maker && keyOf(one.maker) === keyOf(maker))?.at,
  }
}
