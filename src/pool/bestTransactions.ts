import { maxGasPriceOf, priorityFeeOf, type Tx } from '../types/transaction.ts'
import type { PoolEntry } from './entry.ts'
import { createHeap, popHeap, putInHeap } from './heap.ts'
import { entryAt, type SenderQueue } from './senderQueue.ts'

/** Fees of the block that is being built. */
export interface BlockFees {
  readonly baseFee: bigint
  readonly blobBaseFee: bigint
}

/** Iterates over pending transactions for a block: the best first, those of a sender by nonce. */
export interface BestTransactions {
  /** Returns the next transaction; those that left the pool meanwhile are skipped. */
  next(): PoolEntry | undefined
  /** Skips the other transactions of the last one's sender, which cannot be in the block without it. */
  skipSender(): void
}

interface Turn {
  readonly queue: SenderQueue
  readonly entry: PoolEntry
  readonly tip: bigint
  heapIndex: number
}

function canPay(tx: Tx, { baseFee, blobBaseFee }: BlockFees): boolean {
  return maxGasPriceOf(tx) >= baseFee && (tx.type !== 3 || tx.maxBlobFee >= blobBaseFee)
}

function comesBefore(a: Turn, b: Turn): boolean {
  if (a.entry.priority !== b.entry.priority) return a.entry.priority
  if (a.tip !== b.tip) return a.tip > b.tip
  const priceOfA = maxGasPriceOf(a.entry.tx)
  const priceOfB = maxGasPriceOf(b.entry.tx)
  if (priceOfA !== priceOfB) return priceOfA > priceOfB
  return a.entry.arrival < b.entry.arrival
}

function turnOf(queue: SenderQueue, entry: PoolEntry | undefined, fees: BlockFees): Turn | undefined {
  if (!entry || !canPay(entry.tx, fees)) return undefined
  return { queue, entry, tip: priorityFeeOf(entry.tx, fees.baseFee), heapIndex: -1 }
}

/** Orders transactions by priority, tip in this block, highest price, arrival. */
export function createBestTransactions(queues: Iterable<SenderQueue>, fees: BlockFees): BestTransactions {
  const first: Turn[] = []
  for (const queue of queues) {
    const begin = queue.ready > 0 ? turnOf(queue, queue.entries[0], fees) : undefined
    if (begin) first.push(begin)
  }
  const heap = createHeap(first, comesBefore)
  let last: Turn | undefined

  return {
    next() {
      const following = last && turnOf(last.queue, entryAt(last.queue, last.entry.tx.nonce + 1n), fees)
      if (following) putInHeap(heap, following)
      do last = popHeap(heap)
      while (last && entryAt(last.queue, last.entry.tx.nonce) !== last.entry)
      return last?.entry
    },
    skipSender() {
      last = undefined
    },
  }
}
