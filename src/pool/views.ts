import type { Address, Hash32 } from '../primitives/bytes.ts'
import { priorityFeeOf } from '../types/transaction.ts'
import type { Amount } from './amount.ts'
import type { Contents } from './contents.ts'
import type { PoolEntry } from './entry.ts'
import type { PoolLimits } from './options.ts'
import { nextNonceOf, type SenderQueue } from './senderQueue.ts'

export interface PoolStatistics {
  /** -1 if the pool is not limited by the number of transactions. */
  readonly maxSize: number
  readonly localCount: number
  readonly remoteCount: number
  readonly pendingCount: number
  readonly queuedCount: number
  readonly bytes: number
}

/** One sender's transactions, ascending by nonce. */
export interface SenderContent {
  readonly sender: Address
  /** Transactions that follow the account's nonce without a gap. */
  readonly pending: readonly PoolEntry[]
  readonly queued: readonly PoolEntry[]
}

/** Queries on the pool. */
export interface PoolViews {
  get(hash: Hash32): PoolEntry | undefined
  /** Whether there is a transaction with the hash that is this key. */
  has(key: string): boolean
  /** All transactions in order of arrival. */
  entries(): Iterable<PoolEntry>
  pending(): Iterable<PoolEntry>
  queued(): Iterable<PoolEntry>
  content(): Iterable<SenderContent>
  contentOf(sender: Address): SenderContent | undefined
  /** Returns the nonce after the sender's pending transactions; undefined if it has none. */
  nextNonce(sender: Address): bigint | undefined
  count(): number
  bytes(): number
  /** Transactions that blocks can take at this base fee: not those after a gap, nor behind one that pays less. */
  minable(baseFee: bigint): Amount
  statistics(): PoolStatistics
}

function contentOf({ sender, entries, ready }: SenderQueue): SenderContent {
  return { sender, pending: entries.slice(0, ready), queued: entries.slice(ready) }
}

export function createViews(contents: Contents, limits: PoolLimits): PoolViews {
  function* content(): Iterable<SenderContent> {
    for (const queue of contents.queues()) yield contentOf(queue)
  }

  return {
    get: contents.get,
    has: contents.has,
    entries: contents.entries,
    *pending() {
      for (const { pending } of content()) yield* pending
    },
    *queued() {
      for (const { queued } of content()) yield* queued
    },
    content,
    contentOf(sender) {
      const queue = contents.queue(sender)
      return queue && contentOf(queue)
    },
    nextNonce(sender) {
      const queue = contents.queue(sender)
      return queue && queue.ready > 0 ? nextNonceOf(queue) : undefined
    },
    count: () => contents.count,
    bytes: () => contents.bytes,
    minable(baseFee) {
      let count = 0
      let bytes = 0
      for (const { entries, ready } of contents.queues()) {
        if (ready === 0 || priorityFeeOf(entries[0]!.tx, baseFee) < 0n) continue
        count += ready
        for (let i = 0; i < ready; i++) bytes += entries[i]!.size
      }
      return { count, bytes }
    },
    statistics() {
      let pendingCount = 0
      for (const { ready } of contents.queues()) pendingCount += ready
      const { count, localCount, bytes } = contents
      return {
        maxSize: limits.shownSize,
        localCount,
        remoteCount: count - localCount,
        pendingCount,
        queuedCount: count - pendingCount,
        bytes,
      }
    },
  }
}
