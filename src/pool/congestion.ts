import { priorityFeeOf, type Tx } from '../types/transaction.ts'
import { type Amount, weightOf } from './amount.ts'
import { sizeOf } from './entry.ts'
import type { PoolFault } from './fault.ts'

/** A block that became the head. */
export interface MinedBlock {
  readonly transactions: readonly Tx[]
  /** Seconds since 1970. */
  readonly timestamp: number
  readonly baseFee: bigint
  /** Transactions that it could have taken, too, by weight: they are in the pool, or wait to be added to it. */
  readonly left: number
  /** Seconds between blocks. */
  readonly period: number
  /** When this node saw it, in milliseconds. */
  readonly now: number
}

/** Where a user's transaction stands that has just come. */
export interface Arrival {
  /** Transactions before it that blocks can take, by weight. */
  readonly backlog: number
  /** In milliseconds. */
  readonly now: number
}

/** Notices when more transactions come than the chain mines; large ones count as several (`weightOf`). */
export interface Congestion {
  onBlock(block: MinedBlock): void
  /** To be called when the pool has added a transaction, of a user of this node or of a peer. */
  onAdded(local: boolean): void
  /** Admits a user's transaction; returns why not, if it would wait too long. */
  admit(tx: Tx, arrival: Arrival): PoolFault | undefined
  /**
   * Why a user's transaction is not accepted that must wait for an earlier one of its sender. While transactions are
   * refused, or have been lately, the earlier one may be among them: nobody knows when this one would be mined.
   */
  findGapFault(): PoolFault | undefined
}

/** Seconds, and blocks, for which transactions may wait: the rest are refused, so that their senders know at once. */
const maxSeconds = 2
const maxBlocks = 2
/** A backlog that is never too long, however few transactions a block takes. */
const minBacklog = 200
/** The same for each second of the period while nothing is congested: a burst, of which nobody knows how long it takes to mine. */
const minBurst = 4096
/** Blocks by which the rate is measured at most, and after which refused transactions have come again. */
const maxMeasured = 5
/** Blocks in a row that take at least as much as they leave, after which nothing is congested any more. */
const maxCalm = 5
/** Periods without a block, while transactions wait, after which the validators are too busy to take more. */
const latePeriods = 2
/** What remains of the counts of added transactions after a block. */
const decay = 0.8
/** Share of the room that the users of a node may always take, be they ever so few. */
const minShare = 0.25

/** What the last blocks took. */
interface Pace {
  readonly baseFee: bigint
  /** Of the last block. */
  readonly lowestTip: bigint
  /** Transactions per second. */
  readonly rate: number
  readonly maxBacklog: number
  /** The same while nothing is congested. */
  readonly maxBurst: number
}

/** How many transactions blocks took lately, and how many may wait because of it. */
class MinedRate implements Congestion {
  /** The last blocks that show how much the chain mines; only the very last one while nothing is congested. */
  private blocks: { readonly count: number; readonly seconds: number }[] = []
  /** Blocks in a row that took at least as much as they left. */
  private calm = 0
  /** When all is calm, if no block comes because nothing waits for one. */
  private calmFrom = 0
  private pace: Pace | undefined
  private isCongested = false
  private lastTimestamp: number | undefined
  private lastSeen: number | undefined
  /** Since when transactions wait for a block. */
  private waitingSince: number | undefined
  private maxWait = 0
  /** Transactions of users that are admitted until the next block. */
  private quota = Number.POSITIVE_INFINITY
  /** Blocks until refused transactions have come again. */
  private unsettled = 0
  private readonly added = { own: 0, others: 0 }

  private measure({ transactions, baseFee, period }: MinedBlock): Pace {
    const seconds = this.blocks.reduce((sum, block) => sum + block.seconds, 0)
    const rate = this.blocks.reduce((sum, { count }) => sum + count, 0) / seconds
    const time = Math.max(maxSeconds, (maxBlocks * seconds) / this.blocks.length)
    const maxBacklog = Math.max(minBacklog, rate * time)
    return {
      baseFee,
      lowestTip: lowestTipOf(transactions, baseFee),
      rate,
      maxBacklog,
      maxBurst: Math.max(minBurst * Math.max(1, period), maxBacklog),
    }
  }

  /** The part of the transactions added lately that users of this node have sent. */
  private shareOfUsers(): number {
    const all = this.added.own + this.added.others
    return all === 0 ? 1 : Math.max(minShare, this.added.own / all)
  }

  private refuse(backlog: number, limit: number, rate: number): PoolFault {
    this.unsettled = maxMeasured
    const excess = Math.max(1, backlog + 1 - limit)
    // After empty blocks nobody knows how many are mined in a second.
    return { code: 'TOO_MANY_TRANSACTIONS', retryAfter: rate === 0 ? 1 : Math.ceil(excess / Math.max(1, rate)) }
  }

  readonly onBlock: Congestion['onBlock'] = (block) => {
    const { timestamp, left, now, period } = block
    const count = weightOf(amountOf(block.transactions))
    // Parts of a second are not in the timestamp.
    const seconds =
      period > 0 && period < 1
        ? Math.max(period, (now - (this.lastSeen ?? now)) / 1000)
        : Math.max(1, timestamp - (this.lastTimestamp ?? timestamp))
    this.lastTimestamp = timestamp
    this.lastSeen = now
    this.calm = left > count ? 0 : this.calm + 1
    const wasCongested = this.isCongested
    // A proposer that lags behind makes a small block although many wait: that is no sign of calm, nor is a single block that takes all.
    this.isCongested = wasCongested ? this.calm < maxCalm : count > 0 && left > count
    const isFull = this.calm === 0 || count > (this.pace?.rate ?? 0) * seconds
    if (!this.isCongested || !wasCongested) this.blocks = [{ count, seconds }]
    else if (isFull) this.blocks = [...this.blocks.slice(1 - maxMeasured), { count, seconds }]
    this.pace = this.measure(block)
    this.quota = this.isCongested
      ? Math.max(0, this.pace.maxBacklog - left) * this.shareOfUsers()
      : Number.POSITIVE_INFINITY
    this.waitingSince = left > 0 ? now : undefined
    this.maxWait = latePeriods * Math.max(1, period) * 1000
    this.calmFrom = now + maxCalm * Math.max(1, period) * 1000
    this.unsettled = Math.max(0, this.unsettled - 1)
    this.added.own *= decay
    this.added.others *= decay
  }

  readonly onAdded: Congestion['onAdded'] = (local) => {
    if (local) this.added.own++
    else this.added.others++
  }

  readonly admit: Congestion['admit'] = (tx, { backlog, now }) => {
    if (!this.pace) return undefined
    this.waitingSince ??= now
    if (this.isCongested && backlog === 0 && now >= this.calmFrom) {
      this.isCongested = false
      this.quota = Number.POSITIVE_INFINITY
    }
    const isLate = now - this.waitingSince > this.maxWait
    const limit = this.isCongested || isLate ? this.pace.maxBacklog : this.pace.maxBurst
    // Anyone who pays more than others is mined before them.
    const outbids = priorityFeeOf(tx, this.pace.baseFee) > this.pace.lowestTip
    if ((backlog >= limit || this.quota < 1) && !outbids) return this.refuse(backlog, limit, this.pace.rate)
    this.quota--
    return undefined
  }

  readonly findGapFault: Congestion['findGapFault'] = () =>
    this.unsettled > 0 ? { code: 'TOO_MANY_TRANSACTIONS', retryAfter: 1 } : undefined
}

/**
 * Nothing is congested until a block leaves more transactions in the pool than it takes, or does not come; until then only a burst
 * that is too large is cut off. Other nodes accept transactions for the same blocks, and each sees those of the others late: all
 * of them together keep the backlog short, because each admits only its own users' share of the room that a block has made.
 */
export function createCongestion(): Congestion {
  return new MinedRate()
}

function amountOf(transactions: readonly Tx[]): Amount {
  let bytes = 0
  for (const tx of transactions) bytes += sizeOf(tx, undefined)
  return { count: transactions.length, bytes }
}

function lowestTipOf(transactions: readonly Tx[], baseFee: bigint): bigint {
  const tips = transactions.map((tx) => priorityFeeOf(tx, baseFee))
  return tips.reduce((a, b) => (b < a ? b : a), tips[0] ?? 0n)
}
