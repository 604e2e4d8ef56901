import type { Address, Hash32 } from '../primitives/bytes.ts'

/** An account as the state below the engine knows it. */
export interface HostAccount {
  readonly nonce: bigint
  readonly balance: bigint
  readonly codeHash: Hash32
  readonly hasStorage: boolean
}

/**
 * The state below the engine. Each question is asked once per world (see `Engine.reset`); answers are cached in the engine.
 * A host must not call the engine that asks.
 */
export interface Host {
  /** Undefined: the account does not exist. */
  account(address: Address): HostAccount | undefined
  /** The slot's value, big-endian, leading zeros optional; no bytes are zero. */
  storage(address: Address, slot: Hash32): Uint8Array
  code(codeHash: Hash32): Uint8Array
  /** The hash of an ancestor among the last 256; undefined reads as zero. */
  blockHash(number: bigint): Hash32 | undefined
}
