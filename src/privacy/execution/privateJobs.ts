import type { ConsensusEngine } from '../../chain/engine.ts'
import type { ChainView, HashedBlock, HashedHeader } from '../../chain/view.ts'
import type { StateView } from '../../state/view.ts'
import type { StateChanges } from '../../types/stateChanges.ts'
import type { GateAnswers } from '../flexible/gate.ts'
import type { GroupKind } from '../sending/markers.ts'
import type { PrivateReceipt } from './privateReceipts.ts'
import type { PrivateMessage, PrivateOutcome } from './runPrivateTx.ts'

/** A private transaction of a block, and the index of its marker. */
export interface PrivateJob {
  readonly index: number
  /** Whether it is for this chain; if not it is not run. */
  readonly isValid: boolean
  /** It has not ended within its work in an earlier block: it is not run again. */
  readonly wasExhausted?: boolean
  readonly message: PrivateMessage
  /** What a flexible group checks before it executes the transaction; undefined executes it in any case. */
  readonly gate?: { readonly privateFrom: Uint8Array; readonly version: Uint8Array }
}

/** The private transactions of a group in a block. */
export interface PrivateJobs {
  readonly block: HashedBlock
  readonly jobs: readonly PrivateJob[]
}

export interface PrivateBlockOutcome {
  /** In the order of the jobs; undefined where the group does not execute a transaction. */
  readonly receipts: readonly (PrivateReceipt | undefined)[]
  /** The indices of markers whose transactions have not ended within their work. */
  readonly exhausted: readonly number[]
  readonly changes: StateChanges
}

/** A private state of a group that stays as it is until it is closed. */
export interface OpenState {
  readonly state: StateView
  close(): void
}

/** A call on the state after a block; the chain must stay open. */
export type PrivateCall<T> = (
  chain: ChainView,
  at: HashedHeader,
  group: Uint8Array,
  openState: () => OpenState,
  message: Omit<PrivateMessage, 'nonce'>,
) => Promise<T>

/** What a group's transactions in a block have in common until one of them changes its state. */
export interface Shared {
  answers: GateAnswers | undefined
  /** Those that have failed and taken much work. */
  readonly costly: Set<string>
}

export interface PrivateExecutorParts {
  readonly kind: GroupKind
  readonly consensus: Pick<ConsensusEngine, 'beneficiary'>
  /** From this block on the EVM runs as everyone knows it, and not as Besu runs it in private; undefined: never. */
  readonly standardFrom: bigint | undefined
}

/** Runs private transactions; groups do not wait for each other. */
export interface PrivateExecutor {
  /**
   * Runs those of a block on the group's state before it; `chain` and `state` must stay open. With `maxTurns` it is given up after so
   * many turns of the event loop, and undefined returned.
   */
  runBlock(
    chain: ChainView,
    block: HashedBlock,
    group: Uint8Array,
    state: StateView,
    jobs: readonly PrivateJob[],
    maxTurns?: number,
  ): Promise<PrivateBlockOutcome | undefined>
  /** The same for some blocks, in ascending order, on the group's state before the first. */
  runBlocks(
    chain: ChainView,
    group: Uint8Array,
    state: StateView,
    blocks: readonly PrivateJobs[],
  ): Promise<readonly PrivateBlockOutcome[]>
  /** Lets a run that goes on reject. */
  stop(): void
  /** What the node itself asks a group's contract, one question after the other; `openState` is called when it is its turn. */
  ask: PrivateCall<PrivateOutcome>
  /** The same for calls of clients: undefined if too many wait. */
  call: PrivateCall<PrivateOutcome | undefined>
}
