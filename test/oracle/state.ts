/** An account in the oracle's own terms: numbers are bigint, nothing is hashed. */
export interface AccountState {
  readonly nonce: bigint
  readonly balance: bigint
  readonly code: Uint8Array
  /** Slot → value; a slot that holds zero is absent. */
  readonly storage: ReadonlyMap<bigint, bigint>
}

/** All accounts by address. */
export type State = ReadonlyMap<bigint, AccountState>
