import type { HeadEvent } from '../../chain/events.ts'
import type { PoolEntry } from '../../pool/entry.ts'
import type { Hash32 } from '../../primitives/bytes.ts'
import type { Stop } from '../../rpc/events/subscriptions.ts'
import type { SyncStatus } from '../../sync/syncStatus.ts'

/** Calls the listener with each event, until the returned function is called. */
export type Feed<E> = (listener: (event: E) => void) => Stop

/** What servers are notified of by the rest of the node. */
export interface NodeFeeds {
  readonly onHead: Feed<HeadEvent>
  /** Transactions that have come to the pool. */
  readonly onPending: Feed<Hash32>
  /** The same, with all that the pool knows of them. */
  readonly onPendingEntry: Feed<PoolEntry>
  /** Transactions that have left the pool without having been mined. */
  readonly onDropped: Feed<Hash32>
  readonly onSync: Feed<SyncStatus | undefined>
}
