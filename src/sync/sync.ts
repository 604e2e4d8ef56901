import type { SyncProgress } from './progress.ts'
import type { SyncStatus } from './syncStatus.ts'

/** Full synchronisation: follows the heaviest chain among the peers. */
export interface Sync {
  /** Looks for a better chain now, unless one is being followed already. */
  look(): void
  /** How far the node has come; undefined if it is in sync. */
  status(): SyncStatus | undefined
  /** How fast the node catches up; undefined if it is in sync. */
  progress(): SyncProgress | undefined
  /** True if no peer is known to be more than a few blocks ahead; also without peers. */
  isInSync(): boolean
  /** Calls the listener when the node falls behind and, with undefined, when it has caught up; returns a function that unsubscribes. */
  onStatus(listener: (status: SyncStatus | undefined) => void): () => void
  /** Stops after the batch that is being imported. */
  stop(): Promise<void>
}
