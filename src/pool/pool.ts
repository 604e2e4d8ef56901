import type { Hash32 } from '../primitives/bytes.ts'
import type { BlobSidecar } from '../types/blobSidecar.ts'
import type { Tx } from '../types/transaction.ts'
import type { BestTransactions, BlockFees } from './bestTransactions.ts'
import type { PoolEntry } from './entry.ts'
import type { DropReason, PoolFault } from './fault.ts'
import type { PoolViews } from './views.ts'

/** Where a transaction comes from. */
export interface Origin {
  /** Submitted to this node by a user, not received from a peer. */
  readonly local: boolean
  /** Milliseconds since 1970. */
  readonly now: number
  readonly sidecar?: BlobSidecar | undefined
}

/** A change of the head: transactions of the new blocks and of those that a reorg removed, in chain order. */
export interface HeadChange {
  readonly added: readonly Tx[]
  readonly removed: readonly Tx[]
  readonly now: number
}

export type PoolEvent =
  | { readonly type: 'added'; readonly entry: PoolEntry }
  | { readonly type: 'dropped'; readonly entry: PoolEntry; readonly reason: DropReason }

/** The transaction pool. */
export interface Pool extends PoolViews {
  /** Adds a transaction; returns why it was refused. Recover its sender before: doing it here blocks the thread. */
  add(tx: Tx, origin: Origin): PoolFault | undefined
  /** Must be called right after the head has changed. */
  onHead(change: HeadChange): void
  /** Removes a transaction that proved invalid while a block was built. */
  drop(hash: Hash32, reason: DropReason): void
  /** Removes transactions that the rules without state no longer allow. Must be called when those have changed. */
  recheckPermissions(): void
  /** Removes expired transactions; every new head does so too. */
  expire(now: number): void
  /** Why account permissioning does not allow a transaction any more; undefined if it does. */
  findRefusal(entry: PoolEntry): PoolFault | undefined
  best(fees: BlockFees): BestTransactions
  /** Calls the listener after each change; returns a function that unsubscribes. */
  subscribe(listener: (event: PoolEvent) => void): () => void
}
