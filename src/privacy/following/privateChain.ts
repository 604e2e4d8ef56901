import type { Chain } from '../../chain/chain.ts'
import type { Store } from '../../store/store.ts'
import type { Clock } from '../../system/clock.ts'
import type { Logger } from '../../system/logger.ts'
import type { Enclave } from '../enclave/enclave.ts'
import type { GroupStates } from '../execution/groupStates.ts'
import type { PrivateExecutor } from '../execution/privateJobs.ts'
import type { LogNews } from '../execution/privateLogs.ts'
import type { GroupKind } from '../sending/markers.ts'
import type { Reach } from './reach.ts'

export interface PrivateChainParts {
  readonly chain: Pick<Chain, 'read' | 'openView' | 'onHead'>
  readonly store: Store
  readonly groups: GroupStates
  readonly executor: PrivateExecutor
  readonly enclave: Enclave
  readonly kind: GroupKind
  /** The keys of this node at its manager, as far as they are known. */
  readonly ownKeys: readonly Uint8Array[]
  readonly clock: Clock
  readonly log: Logger
}

/**
 * Executes the private transactions of the public chain, behind it: blocks are imported whether or not the manager has
 * their payloads. What comes late is executed late, in order: its group goes back to the block before and from there on
 * executes again, while other groups go on.
 */
export interface PrivateChain extends Pick<Reach, 'reach'>, Pick<LogNews, 'onLogs'> {
  /** The last block whose private transactions were asked for. */
  position(): number
  /** The groups that have not executed all blocks up to `position`. */
  groupsBehind(): number
  /** The manager has a payload that it did not have before. */
  onArrival(key: Uint8Array): void
  start(): void
  /** Resolves when nothing is read or written any more. */
  stop(): Promise<void>
}
