import type { Hash32 } from '../../primitives/bytes.ts'
import type { Account } from '../../types/account.ts'

/** The requests of snap/1, by their codes; the code of a response is one higher. */
export const snapRequests = {
  accountRange: 0x00,
  storageRanges: 0x02,
  byteCodes: 0x04,
  trieNodes: 0x06,
} as const
export type SnapKind = keyof typeof snapRequests

/** Number of message codes. */
export const snapCodeCount = 8

/** The kind of a message and whether it is a response. */
export function kindOf(code: number): { readonly kind: SnapKind; readonly isResponse: boolean } {
  const kinds: readonly SnapKind[] = ['accountRange', 'storageRanges', 'byteCodes', 'trieNodes']
  return { kind: kinds[code >>> 1]!, isResponse: (code & 1) === 1 }
}

/** A message with the number by which a response is matched with its request. */
export interface Numbered<T> {
  readonly id: bigint
  readonly message: T
}

/** Asks for accounts of a state from `origin` to `limit`, in the order of their hashes. */
export interface AccountRangeRequest {
  readonly root: Hash32
  readonly origin: Hash32
  readonly limit: Hash32
  /** Soft limit of the response in bytes. */
  readonly bytes: number
}

/** Asks for the slots of accounts; of the first one from `origin` to `limit`. */
export interface StorageRangesRequest {
  readonly root: Hash32
  /** Hashes of their addresses. */
  readonly accounts: readonly Hash32[]
  /** Undefined for the first slot there is. */
  readonly origin: Hash32 | undefined
  /** Undefined for the last slot there is. */
  readonly limit: Hash32 | undefined
  readonly bytes: number
}

export interface ByteCodesRequest {
  readonly hashes: readonly Hash32[]
  readonly bytes: number
}

/**
 * Asks for nodes by their paths. Each set is either one path in the state trie, or the hash of an address and then
 * paths in the account's storage trie. Paths are in hex-prefix form.
 */
export interface TrieNodesRequest {
  readonly root: Hash32
  readonly sets: readonly (readonly Uint8Array[])[]
  readonly bytes: number
}

export interface RangedAccount {
  readonly hash: Hash32
  readonly account: Account
}

/** Accounts in the order of their hashes, and the nodes that prove that there are no others between them. */
export interface AccountRange {
  readonly accounts: readonly RangedAccount[]
  readonly proof: readonly Uint8Array[]
}

export interface RangedSlot {
  readonly hash: Hash32
  /** The value of the slot's leaf in the storage trie. */
  readonly data: Uint8Array
}

/** Slots of accounts; the proof is of the last of them, if its slots are not complete. */
export interface StorageRanges {
  readonly slots: readonly (readonly RangedSlot[])[]
  readonly proof: readonly Uint8Array[]
}

/** What is asked for and returned of each kind. */
export interface SnapRequests {
  readonly accountRange: AccountRangeRequest
  readonly storageRanges: StorageRangesRequest
  readonly byteCodes: ByteCodesRequest
  readonly trieNodes: TrieNodesRequest
}
export interface SnapResponses {
  readonly accountRange: AccountRange
  readonly storageRanges: StorageRanges
  readonly byteCodes: readonly Uint8Array[]
  readonly trieNodes: readonly Uint8Array[]
}
