import type { Address, Hash32 } from '../primitives/bytes.ts'
import type { Account } from '../types/account.ts'
import type { StateChanges } from '../types/stateChanges.ts'

/** A slot's value with the nodes of the storage trie that show it. */
export interface SlotProof {
  readonly slot: Hash32
  readonly value: Uint8Array
  readonly proof: readonly Uint8Array[]
}

/** An account (undefined: proven absent) with the nodes of the state trie that show it, and some of its slots. */
export interface AccountProof {
  readonly account: Account | undefined
  readonly proof: readonly Uint8Array[]
  readonly slots: readonly SlotProof[]
}

export interface RangedAccount {
  readonly hash: Hash32
  readonly address: Address
  readonly account: Account
}

export interface RangedSlot {
  readonly hash: Hash32
  readonly slot: Hash32
  readonly value: Uint8Array
}

/** Part of an ordered whole, and the hash at which the next part starts. */
export interface Part<T> {
  readonly entries: readonly T[]
  readonly next: Hash32 | undefined
}

/** The state after one block. Valid as long as what it reads from. */
export interface StateView {
  account(address: Address): Account | undefined
  /** The slot's value, big-endian without leading zeros; no bytes are zero. */
  storage(address: Address, slot: Hash32): Uint8Array
  code(hash: Hash32): Uint8Array
  /** Shows the account and the slots, or that they are absent, to one who knows only the state root. */
  proof(address: Address, slots: readonly Hash32[]): AccountProof
  /** The state root that `changes` on this state would lead to. */
  rootOf(changes: StateChanges): Hash32
  /** Accounts in the order of their hashes, from `start` on. */
  accountRange(start: Hash32, limit: number): Part<RangedAccount>
  /** Slots of an account in the order of their hashes, from `start` on. */
  storageRange(addressHash: Hash32, start: Hash32, limit: number): Part<RangedSlot>
}
