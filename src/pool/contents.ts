import { type Address, type Hash32, keyOf } from '../primitives/bytes.ts'
import { txKey } from '../types/encodeTx.ts'
import type { PoolEntry } from './entry.ts'
import { createHeap, firstOfHeap, type Heap, putInHeap, removeFromHeap } from './heap.ts'
import {
  createSenderQueue,
  floorOf,
  forgetFloors,
  insertEntry,
  moveNonce,
  removeEntry,
  type SenderQueue,
} from './senderQueue.ts'

/** The pool's transactions by hash and by sender, and their order of eviction. Admission rules are elsewhere. */
export interface Contents {
  readonly count: number
  readonly bytes: number
  readonly localCount: number
  get(hash: Hash32): PoolEntry | undefined
  has(key: string): boolean
  /** In order of arrival. */
  entries(): IterableIterator<PoolEntry>
  queue(sender: Address): SenderQueue | undefined
  queues(): IterableIterator<SenderQueue>
  /** Adds an entry; its sender must have none with that nonce. `nonce` is the account's. */
  insert(entry: PoolEntry, nonce: bigint): void
  remove(entry: PoolEntry): void
  /** Sets an account's nonce at a new head; removes and returns the entries below it. */
  moveNonce(queue: SenderQueue, nonce: bigint): PoolEntry[]
  /** Returns the entry to evict first. */
  worst(baseFee: bigint): PoolEntry | undefined
}

/**
 * Whether `a` is evicted from before `b`. A sender loses its last nonce first, which leaves no gap. Senders are ranked by
 * their last entry: without priority first, then queued before pending, then the lowest tip of the sender, then the newest.
 */
function isEvictedBefore(a: SenderQueue, b: SenderQueue, baseFee: bigint): boolean {
  const lastOfA = a.entries.at(-1)!
  const lastOfB = b.entries.at(-1)!
  if (lastOfA.priority !== lastOfB.priority) return lastOfB.priority
  const queuedInA = a.ready < a.entries.length
  if (queuedInA !== b.ready < b.entries.length) return queuedInA
  const floorOfA = floorOf(a, baseFee)
  const floorOfB = floorOf(b, baseFee)
  if (floorOfA !== floorOfB) return floorOfA < floorOfB
  return lastOfA.arrival > lastOfB.arrival
}

/** Entries by hash and by sender, with the sums that limits are about. */
class PooledTxs implements Contents {
  private readonly byHash = new Map<string, PoolEntry>()
  private readonly bySender = new Map<string, SenderQueue>()
  private byteCount = 0
  private locals = 0
  // The ranking is made when the pool is full for the first time, then kept up to date until the base fee changes.
  private ranking: { readonly heap: Heap<SenderQueue>; readonly baseFee: bigint } | undefined

  private rank(baseFee: bigint): Heap<SenderQueue> {
    if (this.ranking?.baseFee !== baseFee) {
      const queues = [...this.bySender.values()]
      for (const queue of queues) forgetFloors(queue, 0)
      this.ranking = { heap: createHeap(queues, (a, b) => isEvictedBefore(a, b, baseFee)), baseFee }
    }
    return this.ranking.heap
  }

  private forget(entry: PoolEntry): void {
    this.byHash.delete(txKey(entry.tx))
    this.byteCount -= entry.size
    if (entry.local) this.locals--
  }

  private settle(queue: SenderQueue): void {
    const isEmpty = queue.entries.length === 0
    if (isEmpty) this.bySender.delete(keyOf(queue.sender))
    if (!this.ranking) return
    if (isEmpty) removeFromHeap(this.ranking.heap, queue)
    else putInHeap(this.ranking.heap, queue)
  }

  get count(): Contents['count'] {
    return this.byHash.size
  }

  get bytes(): Contents['bytes'] {
    return this.byteCount
  }

  get localCount(): Contents['localCount'] {
    return this.locals
  }

  readonly get: Contents['get'] = (hash) => this.byHash.get(keyOf(hash))

  readonly has: Contents['has'] = (key) => this.byHash.has(key)

  readonly entries: Contents['entries'] = () => this.byHash.values()

  readonly queue: Contents['queue'] = (sender) => this.bySender.get(keyOf(sender))

  readonly queues: Contents['queues'] = () => this.bySender.values()

  readonly insert: Contents['insert'] = (entry, nonce) => {
    const key = keyOf(entry.sender)
    let queue = this.bySender.get(key)
    if (queue) insertEntry(queue, entry)
    else this.bySender.set(key, (queue = createSenderQueue(entry, nonce)))
    this.byHash.set(txKey(entry.tx), entry)
    this.byteCount += entry.size
    if (entry.local) this.locals++
    this.settle(queue)
  }

  readonly remove: Contents['remove'] = (entry) => {
    const queue = this.bySender.get(keyOf(entry.sender))!
    removeEntry(queue, entry)
    this.forget(entry)
    this.settle(queue)
  }

  readonly moveNonce: Contents['moveNonce'] = (queue, nonce) => {
    const passed = moveNonce(queue, nonce)
    for (const entry of passed) this.forget(entry)
    this.settle(queue)
    return passed
  }

  readonly worst: Contents['worst'] = (baseFee) => firstOfHeap(this.rank(baseFee))?.entries.at(-1)
}

export function createContents(): Contents {
  return new PooledTxs()
}
