import type { Chain } from '../chain/chain.ts'
import type { EthPeers } from '../net/eth/ethPeers.ts'
import type { Address, Hash32 } from '../primitives/bytes.ts'
import type { RecoverPool } from '../recovery/recoverPool.ts'
import type { Clock } from '../system/clock.ts'
import type { Logger } from '../system/logger.ts'
import type { BlockImporter } from './blockImporter.ts'
import type { SnapSync } from './snap/snapSync.ts'

export interface SyncParts {
  readonly chain: Pick<Chain, 'head' | 'read' | 'importBlocks' | 'onHead'>
  /** Starts a thread that imports blocks, one at a time; without it this one does. */
  readonly openImporter?: (() => Promise<BlockImporter>) | undefined
  /** Joins a chain by the state of a recent block; without it all blocks are run. */
  readonly snap?: SnapSync | undefined
  readonly peers: EthPeers
  readonly recover: RecoverPool
  knownSender(hash: Hash32): Address | undefined
  /** Called when a peer's chain has been imported to its end. */
  onFollowed(): void
  readonly clock: Clock
  readonly log: Logger
}

/** Blocks that a node in sync may be behind: they are on their way. */
export const tolerance = 5n
