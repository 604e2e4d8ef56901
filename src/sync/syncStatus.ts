/** How far a node that is syncing has come. */
export interface SyncStatus {
  readonly startingBlock: bigint
  readonly currentBlock: bigint
  readonly highestBlock: bigint
}
