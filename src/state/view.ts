import type { Address, Hash32 } from '../primitives/bytes.ts'
import type { Account } from '../types/account.ts'
import type { StateChanges } from '../types/stateChanges.ts'

/** A slot's value with the nodes of the storage trie that prove it. */
export interface SlotProof {
  readonly slot: Hash32
  readonly value: Uint8Array
  readonly proof: readonly Uint8Array[]
}

/** An account (undefined: proven absent) with the nodes of the state trie that prove it, and some of its slots. */
export interface AccountProof {
  readonly account: Account | undefined
  readonly proof: readonly Uint8Array[]
  readonly slots: readonly SlotProof[]
}

export interface RangedAccount {
  readonly hash: Hash32
  /** Undefined of an account that was taken over from peers and that no block has changed since. */
  readonly address: Address | undefined
  readonly account: Account
}

export interface RangedSlot {
  readonly hash: Hash32
  /** Undefined of a slot that was taken over from peers and that no block has changed since. */
  readonly slot: Hash32 | undefined
  readonly value: Uint8Array
}

/** One page of an ordered list, and the hash at which the next page starts. */
export interface Part<T> {
  readonly entries: readonly T[]
  readonly next: Hash32 | undefined
}

/** The state after one block. Valid as long as what it reads from. */
export interface StateView {
  account(address: Address): Account | undefined
  /** The slot's value, big-endian without leading zeros; an empty array is 0. */
  storage(address: Address, slot: Hash32): Uint8Array
  code(hash: Hash32): Uint8Array
  /** Merkle proofs of an account and its slots, or of their absence, against the state root. */
  proof(address: Address, slots: readonly Hash32[]): AccountProof
  /** The state root that `changes` on this state would lead to. */
  rootOf(changes: StateChanges): Hash32
  /** Accounts in the order of their hashes, from `start` on. */
  accountRange(start: Hash32, limit: number): Part<RangedAccount>
  /** Slots of an account in the order of their hashes, from `start` on. */
  storageRange(addressHash: Hash32, start: Hash32, limit: number): Part<RangedSlot>
}
