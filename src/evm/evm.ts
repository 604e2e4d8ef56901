import type { Rules } from '../forks/rules.ts'
import type { Address, Hash32 } from '../primitives/bytes.ts'
import type { Log } from '../types/log.ts'
import type { StateChanges } from '../types/stateChanges.ts'
import type { Host } from './host.ts'
import type { BlockEnv, CreateMessage, Message, Outcome, TxEnv } from './message.ts'
import type { PrecompileSet } from './precompile.ts'
import type { Tracer } from './tracer.ts'

export interface EvmOptions extends Tracer {
  /** Returns the precompiles of a fork; default: those of the public networks. */
  readonly precompiles?: (rules: Rules) => PrecompileSet
  /**
   * All frames of a transaction share one set of pending changes: one that completes makes all of them final, one that
   * fails drops them. No account is removed. So Besu runs private transactions. Default: false.
   */
  readonly sharedChanges?: boolean
  /**
   * What it runs belongs to one caller alone: if the machine has no memory left, an EvmError is thrown. By default the process ends,
   * because what a transaction does must be the same on every node. Default: false.
   */
  readonly isTrial?: boolean
}

// Why the state lives in linear memory: docs/adr/0004-evm-in-linear-memory.md.

/**
 * An EVM with its state: a journaled overlay over a host, all in the linear memory of one WebAssembly instance.
 * Synchronous, for one caller at a time. If a host throws, the exception passes through, and only `reset` may be called
 * afterwards.
 */
export interface Evm {
  /** Starts over on another host: drops all cached accounts and slots, keeps code. Has to be called first. */
  reset(host: Host): void
  setBlock(env: BlockEnv, rules: Rules): void
  /**
   * Begins a transaction: clears warm sets, transient storage, refund and logs; current values become the original
   * values of SSTORE's gas rules. Earlier changes can no longer be reverted.
   */
  beginTx(env: TxEnv): void
  warmAddress(address: Address): void
  warmSlot(address: Address, slot: Hash32): void
  exists(address: Address): boolean
  /** Whether nonce, balance and code are empty; also true for an account that does not exist. */
  isEmpty(address: Address): boolean
  balance(address: Address): bigint
  nonce(address: Address): bigint
  codeHash(address: Address): Hash32
  code(address: Address): Uint8Array
  /** 32 bytes, big-endian. */
  storage(address: Address, slot: Hash32): Uint8Array
  /** Adds to the balance and touches the account, also with 0 wei. */
  addBalance(address: Address, wei: bigint): void
  /** Subtracts from the balance; the caller has checked that it is sufficient. */
  subBalance(address: Address, wei: bigint): void
  setNonce(address: Address, nonce: bigint): void
  setCode(address: Address, code: Uint8Array): void
  setStorage(address: Address, slot: Hash32, value: Uint8Array): void
  /**
   * Transfers the value and runs the code of `codeAddress` (or `to`), following a delegation, which makes the delegate
   * warm. A call that fails reverts its own changes.
   */
  call(message: Message): Outcome
  /**
   * Runs init code and stores the returned code. The creator's nonce is neither checked nor changed: the caller raises it,
   * before or after, and passes the nonce that the address derives from (default: the nonce at the time of this call). A
   * collision costs all gas. With status 'success', `created` is set and `output` is the code.
   */
  create(message: CreateMessage): Outcome
  /**
   * Lets the run of the next message pause when it has spent this gas, of whatever gas it has; only the 'exact'
   * kind. It then returns the outcome 'paused', and only `resume`, `abandon` or `reset` may be called.
   */
  setWork(gas: bigint): void
  /** What is left of it; negative after a pause. */
  workLeft(): bigint
  /** Goes on with a run that has paused. */
  resume(): Outcome
  /** Ends a run that has paused; the message has changed nothing. */
  abandon(): void
  /** Returns a snapshot; `revertTo` undoes everything after it: state, logs, refund and warm accounts and slots. */
  snapshot(): number
  revertTo(snapshot: number): void
  refund(): bigint
  addRefund(gas: bigint): void
  /** Returns the logs of the current transaction, in order; also after `endTx`, until the next `beginTx`. */
  logs(): Log[]
  /**
   * Ends a transaction, or any other group of changes such as rewards: removes destroyed accounts and,
   * since EIP-161, touched empty ones. Earlier changes can no longer be reverted; the refund counter is 0 afterwards.
   */
  endTx(): void
  /** Returns all differences from the host. */
  changes(): StateChanges
  /** Must be called when the host has taken over the changes: accounts and slots stay as a cache of it. */
  flushed(): void
  setTracer(tracer: Tracer | undefined): void
  /** Bytes of linear memory that were used. */
  memoryBytes(): number
}
