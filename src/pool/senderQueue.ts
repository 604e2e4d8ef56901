import type { Address } from '../primitives/bytes.ts'
import { priorityFeeOf } from '../types/transaction.ts'
import type { PoolEntry } from './entry.ts'

/** The transactions of one sender, by nonce. */
export interface SenderQueue {
  readonly sender: Address
  /** The account's nonce at the head. */
  nonce: bigint
  /** Ascending by nonce, never empty for long. */
  readonly entries: PoolEntry[]
  /** Number of pending entries: the first ones, which follow the account's nonce without a gap. The others are queued. */
  ready: number
  /** The lowest tip up to each entry, computed on demand. */
  readonly floors: bigint[]
  heapIndex: number
}

/** A queue with its first entry; `nonce` is the account's. */
export function createSenderQueue(first: PoolEntry, nonce: bigint): SenderQueue {
  const ready = first.tx.nonce === nonce ? 1 : 0
  // Most senders have one transaction: an array literal reserves no space for more.
  return { sender: first.sender, nonce, entries: [first], ready, floors: [], heapIndex: -1 }
}

/** Returns the index of the nonce, or where it would be inserted. */
export function indexOfNonce({ entries }: SenderQueue, nonce: bigint): number {
  const last = entries.at(-1)
  if (!last || last.tx.nonce < nonce) return entries.length
  let low = 0
  let high = entries.length - 1
  while (low < high) {
    const middle = (low + high) >> 1
    if (entries[middle]!.tx.nonce < nonce) low = middle + 1
    else high = middle
  }
  return low
}

export function entryAt(queue: SenderQueue, nonce: bigint): PoolEntry | undefined {
  const entry = queue.entries[indexOfNonce(queue, nonce)]
  return entry?.tx.nonce === nonce ? entry : undefined
}

/** Returns the nonce after the last pending transaction. */
export function nextNonceOf({ nonce, ready }: SenderQueue): bigint {
  return nonce + BigInt(ready)
}

/** Inserts the entry at its nonce, which must be free. */
export function insertEntry(queue: SenderQueue, entry: PoolEntry): void {
  const index = indexOfNonce(queue, entry.tx.nonce)
  queue.entries.splice(index, 0, entry)
  forgetFloors(queue, index)
  extendReady(queue)
}

export function removeEntry(queue: SenderQueue, entry: PoolEntry): void {
  const index = indexOfNonce(queue, entry.tx.nonce)
  queue.entries.splice(index, 1)
  forgetFloors(queue, index)
  if (index < queue.ready) queue.ready = index
}

/** Sets the account's nonce at a new head; removes and returns the entries below it. */
export function moveNonce(queue: SenderQueue, nonce: bigint): PoolEntry[] {
  if (nonce === queue.nonce) return []
  queue.nonce = nonce
  const count = indexOfNonce(queue, nonce)
  const passed = queue.entries.splice(0, count)
  forgetFloors(queue, 0)
  // The pending entries still have no gap; only their start may have changed.
  const starts = queue.entries[0]?.tx.nonce === nonce
  queue.ready = starts ? Math.max(0, queue.ready - count) : 0
  extendReady(queue)
  return passed
}

function extendReady(queue: SenderQueue): void {
  const { entries } = queue
  let next = nextNonceOf(queue)
  while (entries[queue.ready]?.tx.nonce === next) {
    queue.ready++
    next++
  }
}

/** Returns the lowest tip among the sender's entries: later nonces cannot be mined before it. */
export function floorOf({ entries, floors }: SenderQueue, baseFee: bigint): bigint {
  for (let i = floors.length; i < entries.length; i++) {
    const tip = priorityFeeOf(entries[i]!.tx, baseFee)
    const before = floors[i - 1]
    floors.push(before !== undefined && before < tip ? before : tip)
  }
  return floors.at(-1)!
}

/** Drops the cached tips from an index on, after a change of the entries or of the base fee. */
export function forgetFloors({ floors }: SenderQueue, from: number): void {
  if (floors.length > from) floors.length = from
}
