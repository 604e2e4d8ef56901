import type { Hash32 } from '../primitives/bytes.ts'
import { emptyCodeHash, keccak256 } from '../primitives/keccak.ts'
import { cutRlp, scalar } from '../primitives/rlp.ts'

export interface Account {
  readonly nonce: bigint
  readonly balance: bigint
  readonly codeHash: Hash32
  readonly storageRoot: Hash32
}

/** Root of a trie without leaves: the digest of the RLP empty string. */
export const emptyTrieRoot: Hash32 = keccak256(Uint8Array.of(0x80))

export const emptyAccount: Account = {
  nonce: 0n,
  balance: 0n,
  codeHash: emptyCodeHash,
  storageRoot: emptyTrieRoot,
}

/** The value of the account's leaf in the state trie, for short-lived use (`cutBytes`). */
export function encodeAccount({ nonce, balance, storageRoot, codeHash }: Account): Uint8Array {
  return cutRlp([scalar(nonce), scalar(balance), storageRoot, codeHash])
}
