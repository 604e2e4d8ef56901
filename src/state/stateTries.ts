import { concatBytes, type Hash32 } from '../primitives/bytes.ts'
import { encodeRlp } from '../primitives/rlp.ts'
import { code } from '../store/schema.ts'
import type { Reader } from '../store/table.ts'
import type { TrieReader } from '../trie/trieReader.ts'
import type { Account } from '../types/account.ts'
import type { BlockChoice } from './flat.ts'
import { successor } from './space.ts'
import { readAccountTrie, readStorageTrie, type StateParts } from './stateParts.ts'
import { decodeStoredAccount } from './storedAccount.ts'

/** A state as its tries: what peers are served that take it over. Valid as long as what it reads from. */
export interface StateTries {
  readonly accountTrie: TrieReader
  storageTrie(addressHash: Hash32): TrieReader
  account(addressHash: Hash32): Account | undefined
  /** Accounts in the order of their hashes. */
  accountsFrom(origin: Hash32): Iterable<{ readonly hash: Hash32; readonly account: Account }>
  /** Slots of an account in the order of their hashes; `data` is the value of the slot's leaf. */
  slotsFrom(addressHash: Hash32, origin: Hash32): Iterable<{ readonly hash: Hash32; readonly data: Uint8Array }>
  code(hash: Hash32): Uint8Array | undefined
}

export function createStateTries(parts: StateParts, reader: Reader, at: BlockChoice): StateTries {
  return {
    accountTrie: readAccountTrie(parts, reader, at),
    storageTrie: (addressHash) => readStorageTrie(parts, reader, addressHash, at),
    account(addressHash) {
      const stored = parts.accounts.peek(reader, addressHash, at)
      return stored && decodeStoredAccount(stored)
    },
    *accountsFrom(origin) {
      for (const { key, cell } of parts.accounts.range(reader, origin, undefined, at))
        yield { hash: key as Hash32, account: decodeStoredAccount(cell.value) }
    },
    *slotsFrom(addressHash, origin) {
      const from = concatBytes(addressHash, origin)
      for (const { key, cell } of parts.slots.range(reader, from, successor(addressHash), at))
        yield { hash: key.subarray(32) as Hash32, data: encodeRlp(cell.value) }
    },
    code: (hash) => reader.get(code, hash),
  }
}
