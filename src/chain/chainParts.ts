import type { Evm } from '../evm/evm.ts'
import type { ChainSpec } from '../forks/chainSpec.ts'
import type { StateStore } from '../state/stateStore.ts'
import type { Store } from '../store/store.ts'
import type { ConsensusEngine } from './engine.ts'
import type { TxPermission } from './permissionCheck.ts'

export interface ChainParts {
  readonly spec: ChainSpec
  readonly store: Store
  readonly states: StateStore
  readonly consensus: ConsensusEngine
  /** Runs blocks; the chain is its only user. */
  readonly evm: Evm
  /** Store the output of reverted transactions. */
  readonly keepRevertReasons?: boolean
  /** Index the logs of blocks as they are imported; without it they are found by the blooms of headers. */
  readonly indexLogs?: boolean
  /** Index in which transactions accounts appear, of blocks as they are imported; false by default. */
  readonly indexAccounts?: boolean
  /** Whether blocks come many at a time, and nobody asks for them meanwhile; false by default. */
  readonly isBulk?: boolean
  /** Account permissioning of all blocks; if absent, all transactions are permitted. */
  readonly permits?: TxPermission | undefined
}
