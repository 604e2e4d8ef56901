import type { Address, Hash32 } from '../primitives/bytes.ts'

/** An account of the state below the EVM. */
export interface HostAccount {
  readonly nonce: bigint
  readonly balance: bigint
  readonly codeHash: Hash32
  readonly hasStorage: boolean
  /** Whether code that changes the account fails; default: false. */
  readonly readOnly?: boolean
}

/**
 * The state below the EVM, which reads each account, slot and code once per `reset` and caches it. A host must not call
 * the EVM that reads from it.
 */
export interface Host {
  /** Returns undefined if the account does not exist. */
  account(address: Address): HostAccount | undefined
  /** Returns the slot's value, big-endian, leading zeros optional; an empty array is 0. */
  storage(address: Address, slot: Hash32): Uint8Array
  code(codeHash: Hash32): Uint8Array
  /** Returns the hash of one of the last 256 blocks; undefined becomes 0. */
  blockHash(number: bigint): Hash32 | undefined
}

export const emptyHost: Host = {
  account: () => undefined,
  storage: () => new Uint8Array(0),
  code: () => new Uint8Array(0),
  blockHash: () => undefined,
}
