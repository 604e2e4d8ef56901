import type { Address, Hash32 } from '../primitives/bytes.ts'

/** New value of a storage slot: 32 bytes big-endian; zero removes the slot. */
export interface SlotChange {
  readonly slot: Hash32
  readonly value: Uint8Array
  /** The hash of the slot, where the slot itself is not known: then it is not looked at. */
  readonly hash?: Hash32
}

/** The changes of one account. */
export interface AccountChange {
  readonly address: Address
  /** The account's new fields (its storage root follows from the slots), or undefined when it no longer exists. */
  readonly account: { readonly nonce: bigint; readonly balance: bigint; readonly codeHash: Hash32 } | undefined
  /** Whether all earlier slots of the account are removed; `slots` apply afterwards. */
  readonly wiped: boolean
  readonly slots: readonly SlotChange[]
}

/** The changes that execution makes to a state: those of a block, a genesis allocation or a call. */
export interface StateChanges {
  readonly accounts: readonly AccountChange[]
  readonly codes: readonly { readonly hash: Hash32; readonly code: Uint8Array }[]
}

export const noChanges: StateChanges = { accounts: [], codes: [] }
