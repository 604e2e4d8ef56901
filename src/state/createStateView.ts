import { type Address, concatBytes, emptyBytes, equalBytes, type Hash32 } from '../primitives/bytes.ts'
import { emptyCodeHash, keccak256, keccak256Into } from '../primitives/keccak.ts'
import { code } from '../store/schema.ts'
import type { Reader } from '../store/table.ts'
import { toNibbles } from '../trie/nibbles.ts'
import { prove } from '../trie/prove.ts'
import type { Account } from '../types/account.ts'
import type { BlockChoice } from './flat.ts'
import { slotOfTag } from './slotOfTag.ts'
import { successor } from './space.ts'
import { readAccountTrie, readStorageTrie, type StateParts } from './stateParts.ts'
import { decodeStoredAccount } from './storedAccount.ts'
import { computeUpdate } from './update.ts'
import type { Part, RangedAccount, RangedSlot, SlotProof, StateView } from './view.ts'

/** A view of a snapshot or of a write transaction. */
export function createStateView(parts: StateParts, reader: Reader, at: BlockChoice): StateView {
  const addressHash = new Uint8Array(32)
  const key = new Uint8Array(64)
  // Many slots of one account are read in a row: its hash is kept.
  let lastOwner: Address | undefined

  function account(address: Address): Account | undefined {
    keccak256Into(address, addressHash, 0)
    const stored = parts.accounts.peek(reader, addressHash, at)
    return stored && decodeStoredAccount(stored)
  }

  function storage(address: Address, slot: Hash32): Uint8Array {
    if (lastOwner === undefined || !equalBytes(lastOwner, address)) {
      keccak256Into(address, key, 0)
      lastOwner = address.slice() as Uint8Array as Address
    }
    keccak256Into(slot, key, 32)
    return parts.slots.peek(reader, key, at)?.slice() ?? emptyBytes
  }

  return {
    account,
    storage,
    code(hash) {
      if (equalBytes(hash, emptyCodeHash)) return emptyBytes
      const found = reader.get(code, hash)
      if (found === undefined) throw new Error('the database is damaged: the code of an account is missing')
      return found
    },
    proof(address, slots) {
      const hash = keccak256(address)
      const trie = readStorageTrie(parts, reader, hash, at)
      const found = account(address)
      return {
        account: found,
        proof: prove(readAccountTrie(parts, reader, at), toNibbles(hash)),
        slots: slots.map((slot): SlotProof => {
          const value = storage(address, slot)
          return { slot, value, proof: found ? prove(trie, toNibbles(keccak256(slot))) : [] }
        }),
      }
    },
    rootOf: (changes) => computeUpdate(parts, reader, at, changes).root,
    accountRange: (start, limit) =>
      take(
        parts.accounts.range(reader, start, undefined, at),
        limit,
        ({ key: hash, tag, cell }): RangedAccount => ({
          hash: hash as Hash32,
          address: tag.length > 0 ? (tag as Address) : undefined,
          account: decodeStoredAccount(cell.value),
        }),
      ),
    storageRange: (owner, start, limit) =>
      take(
        parts.slots.range(reader, concatBytes(owner, start), successor(owner), at),
        limit,
        ({ key: stored, tag, cell }): RangedSlot => ({
          hash: stored.subarray(32) as Hash32,
          slot: slotOfTag(tag, stored.subarray(32)),
          value: cell.value,
        }),
      ),
  }
}

function take<E, T extends { readonly hash: Hash32 }>(
  entries: Iterable<E>,
  limit: number,
  map: (entry: E) => T,
): Part<T> {
  const taken: T[] = []
  for (const entry of entries) {
    const mapped = map(entry)
    if (taken.length === limit) return { entries: taken, next: mapped.hash }
    taken.push(mapped)
  }
  return { entries: taken, next: undefined }
}
