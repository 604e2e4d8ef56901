import type { SnapProgress } from './snap/snapSync.ts'

/** How far a node that is syncing has come. */
export interface SyncStatus {
  readonly startingBlock: bigint
  readonly currentBlock: bigint
  readonly highestBlock: bigint
  /** Why the node does not get past a block; undefined while it does, or has not failed lately. */
  readonly stuck?: string
  /** Set while the node takes over the state of a recent block. */
  readonly snap?: SnapProgress
}
