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

export function createContents(): Contents {
  const byHash = new Map<string, PoolEntry>()
  const bySender = new Map<string, SenderQueue>()
  let bytes = 0
  let localCount = 0
  // The ranking is made when the pool is full for the first time, then kept up to date until the base fee changes.
  let ranking: { readonly heap: Heap<SenderQueue>; readonly baseFee: bigint } | undefined

  function rank(baseFee: bigint): Heap<SenderQueue> {
    if (ranking?.baseFee !== baseFee) {
      const queues = [...bySender.values()]
      for (const queue of queues) forgetFloors(queue, 0)
      ranking = { heap: createHeap(queues, (a, b) => isEvictedBefore(a, b, baseFee)), baseFee }
    }
    return ranking.heap
  }

  function forget(entry: PoolEntry): void {
    byHash.delete(txKey(entry.tx))
    bytes -= entry.size
    if (entry.local) localCount--
  }

  function settle(queue: SenderQueue): void {
    const isEmpty = queue.entries.length === 0
    if (isEmpty) bySender.delete(keyOf(queue.sender))
    if (!ranking) return
    if (isEmpty) removeFromHeap(ranking.heap, queue)
    else putInHeap(ranking.heap, queue)
  }

  return {
    get count() {
      return byHash.size
    },
    get bytes() {
      return bytes
    },
    get localCount() {
      return localCount
    },
    get: (hash) => byHash.get(keyOf(hash)),
    has: (key) => byHash.has(key),
    entries: () => byHash.values(),
    queue: (sender) => bySender.get(keyOf(sender)),
    queues: () => bySender.values(),
    insert(entry, nonce) {
      const key = keyOf(entry.sender)
      let queue = bySender.get(key)
      if (queue) insertEntry(queue, entry)
      else bySender.set(key, (queue = createSenderQueue(entry, nonce)))
      byHash.set(txKey(entry.tx), entry)
      bytes += entry.size
      if (entry.local) localCount++
      settle(queue)
    },
    remove(entry) {
      const queue = bySender.get(keyOf(entry.sender))!
      removeEntry(queue, entry)
      forget(entry)
      settle(queue)
    },
    moveNonce(queue, nonce) {
      const passed = moveNonce(queue, nonce)
      for (const entry of passed) forget(entry)
      settle(queue)
      return passed
    },
    worst: (baseFee) => firstOfHeap(rank(baseFee))?.entries.at(-1),
  }
}
