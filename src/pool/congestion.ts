import { priorityFeeOf, type Tx } from '../types/transaction.ts'
import type { PoolFault } from './fault.ts'

/** A block that became the head. */
export interface MinedBlock {
  readonly transactions: readonly Tx[]
  /** Seconds since 1970. */
  readonly timestamp: number
  readonly baseFee: bigint
  /** Transactions that it could have taken, too, and has left in the pool. */
  readonly left: number
}

/** Notices when more transactions come than the chain mines. */
export interface Congestion {
  onBlock(block: MinedBlock): void
  /** Why a user's transaction would wait too long behind `backlog` others; undefined if it would not. */
  find(tx: Tx, backlog: number): PoolFault | undefined
}

/** Seconds, and blocks, for which transactions may wait: the rest are refused, so that their senders know at once. */
const maxSeconds = 3
const maxBlocks = 2
/** A backlog that is never too long, however few transactions a block takes. */
const minBacklog = 1000
/** Blocks by which the rate is measured at most. */
const maxMeasured = 5

/** How long transactions wait that come now. */
interface Jam {
  readonly baseFee: bigint
  /** Of the last block. */
  readonly lowestTip: bigint
  /** Transactions per second. */
  readonly rate: number
  readonly maxBacklog: number
}

/** Nothing is congested until a block leaves more transactions in the pool than it takes. */
export function createCongestion(): Congestion {
  /** The last blocks in a row that left more than they took. */
  let blocks: { readonly count: number; readonly seconds: number }[] = []
  let jam: Jam | undefined
  let lastTimestamp: number | undefined

  function measure({ transactions, baseFee }: MinedBlock): Jam {
    const seconds = blocks.reduce((sum, block) => sum + block.seconds, 0)
    const rate = blocks.reduce((sum, { count }) => sum + count, 0) / seconds
    const time = Math.max(maxSeconds, (maxBlocks * seconds) / blocks.length)
    return {
      baseFee,
      lowestTip: lowestTipOf(transactions, baseFee),
      rate,
      maxBacklog: Math.max(minBacklog, rate * time),
    }
  }

  return {
    onBlock(block) {
      const { timestamp } = block
      const { length: count } = block.transactions
      const seconds = Math.max(1, timestamp - (lastTimestamp ?? timestamp))
      lastTimestamp = timestamp
      const isCongested = count > 0 && block.left > count
      blocks = isCongested ? [...blocks.slice(1 - maxMeasured), { count, seconds }] : []
      jam = isCongested ? measure(block) : undefined
    },
    find(tx, backlog) {
      if (!jam || backlog < jam.maxBacklog) return undefined
      // Whoever pays more than others is mined before them.
      if (priorityFeeOf(tx, jam.baseFee) > jam.lowestTip) return undefined
      return { code: 'TOO_MANY_TRANSACTIONS', retryAfter: Math.ceil((backlog + 1 - jam.maxBacklog) / jam.rate) }
    },
  }
}

function lowestTipOf(transactions: readonly Tx[], baseFee: bigint): bigint {
  return transactions.map((tx) => priorityFeeOf(tx, baseFee)).reduce((a, b) => (b < a ? b : a))
}
