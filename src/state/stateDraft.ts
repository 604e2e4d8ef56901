import type { Hash32 } from '../primitives/bytes.ts'
import type { Nibbles } from '../trie/nibbles.ts'
import type { TrieReader } from '../trie/trieReader.ts'
import type { Account } from '../types/account.ts'

/** A key of a trie (hash of an address or of a slot) and the value of its leaf; undefined removes it. */
export interface LeafChange {
  readonly key: Hash32
  readonly value: Uint8Array | undefined
}

/** What healing changes of an account. */
export interface HealedAccount {
  readonly key: Hash32
  /** Undefined if the account does not exist any more: its slots go, too. */
  readonly account: Account | undefined
  readonly slots: readonly LeafChange[]
}

/** How far the ranges have come; enough to go on after a crash. */
export interface RangeProgress {
  /** Where each part of the key space goes on; undefined if it is complete. */
  readonly next: readonly (Hash32 | undefined)[]
  /** Accounts whose slots were downloaded in parts from different states, or only in part. */
  readonly mixed: readonly Hash32[]
}

/**
 * A state that is being downloaded, by hashes. Until it is healed it may be a mixture of the states of several blocks.
 * Each call is done entirely or not at all, also when the process is killed.
 */
export interface StateDraft {
  progress(): RangeProgress | undefined
  /** Writes accounts that follow each other, of which the last one is before `progress`; none of them was there. */
  putAccounts(accounts: readonly { readonly key: Hash32; readonly account: Account }[], progress: RangeProgress): void
  saveProgress(progress: RangeProgress): void
  /** Removes the slots of all accounts from one to another, both included, except of those in `kept`. */
  clearOwners(from: Hash32, to: Hash32, kept: readonly Hash32[]): void
  putSlots(owner: Hash32, slots: readonly { readonly key: Hash32; readonly value: Uint8Array }[]): void
  hasCode(hash: Hash32): boolean
  putCode(hash: Hash32, code: Uint8Array): void
  account(key: Hash32): Account | undefined
  /** The tries of what is there now: of the accounts, or of an account's slots. */
  trie(owner: Hash32 | undefined): TrieReader
  /** Keys of a trie that begin with `prefix`. */
  keysBelow(owner: Hash32 | undefined, prefix: Nibbles): Iterable<Hash32>
  heal(changes: readonly HealedAccount[]): void
}
