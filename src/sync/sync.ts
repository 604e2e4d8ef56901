import type { Address } from '../primitives/bytes.ts'
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
  /** True while missing blocks are really being imported, and shortly after the start while a peer claims to have more. */
  isCatchingUp(): boolean
  /** Whether peers are known, and one of them claims to have a later block. */
  standing(): 'alone' | 'behind' | 'level'
  /** Asks a peer for the block after the head, and follows its chain if it has one. */
  probe(address: Address): void
  /** Calls the listener when the node falls behind and, with undefined, when it has caught up; returns a function that unsubscribes. */
  onStatus(listener: (status: SyncStatus | undefined) => void): () => void
  /** Stops after the batch that is being imported. */
  stop(): Promise<void>
}
