import { concatBytes, emptyBytes } from '../primitives/bytes.ts'
import { encodeRlp } from '../primitives/rlp.ts'
import type { Reader } from '../store/table.ts'
import { type Nibbles, noNibbles, packNibbles, toNibbles } from '../trie/nibbles.ts'
import type { Leaf, TrieReader } from '../trie/trieReader.ts'
import { encodeAccount } from '../types/account.ts'
import { accountTrie, type Branches, createBranches, type StoredBranch, storageTrie } from './branches.ts'
import { type BlockChoice, createFlat, type Flat } from './flat.ts'
import { type Space, successor } from './space.ts'
import { decodeStoredAccount } from './storedAccount.ts'

/** The temporal tables of one state. */
export interface StateParts {
  readonly space: Space
  readonly accounts: Flat
  readonly slots: Flat
  readonly branches: Branches
}

export function createStateParts(space: Space): StateParts {
  const { tables } = space
  return {
    space,
    accounts: createFlat(space, {
      latest: tables.accounts,
      history: tables.accountHistory,
      chunks: tables.accountChunks,
    }),
    slots: createFlat(space, { latest: tables.slots, history: tables.slotHistory, chunks: tables.slotChunks }),
    branches: createBranches(space),
  }
}

/** The state trie at a block. */
export function readAccountTrie(
  { accounts, branches }: StateParts,
  reader: Reader,
  at: BlockChoice,
): TrieReader<StoredBranch> {
  return createTrieReader(branches, reader, accountTrie, at, (prefix) => {
    const { from, to } = keysBelow(emptyBytes, prefix)
    for (const { key, cell } of accounts.range(reader, from, to, at))
      return { key: toNibbles(key), value: encodeAccount(decodeStoredAccount(cell.value)) }
    return undefined
  })
}

/** An account's storage trie at a block. */
export function readStorageTrie(
  { slots, branches }: StateParts,
  reader: Reader,
  addressHash: Uint8Array,
  at: BlockChoice,
): TrieReader<StoredBranch> {
  return createTrieReader(branches, reader, storageTrie(addressHash), at, (prefix) => {
    const { from, to } = keysBelow(addressHash, prefix)
    for (const { key, cell } of slots.range(reader, from, to, at))
      return { key: toNibbles(key.subarray(32)), value: encodeRlp(cell.value) }
    return undefined
  })
}

/** Bounds of the flat keys that start with `owner` and then `prefix`. */
export function keysBelow(owner: Uint8Array, prefix: Nibbles): { from: Uint8Array; to: Uint8Array | undefined } {
  const from = concatBytes(owner, packNibbles(prefix))
  if (prefix.length % 2 === 0) return { from, to: successor(from) }
  const next = prefix.slice()
  next[next.length - 1]!++
  const last = next.at(-1)!
  if (last < 16) return { from, to: concatBytes(owner, packNibbles(next)) }
  return { from, to: successor(from.subarray(0, -1)) }
}

function createTrieReader(
  branches: Branches,
  reader: Reader,
  trie: Uint8Array,
  at: BlockChoice,
  leaf: (prefix: Nibbles) => Leaf | undefined,
): TrieReader<StoredBranch> {
  return {
    top() {
      // Nearly always the root itself is a branch; finding one further down takes a search.
      const root = branches.at(reader, trie, noNibbles, at)
      if (root !== undefined) return { path: noNibbles, branch: root }
      for (const found of branches.range(reader, trie, at)) return found
      return undefined
    },
    branch(path) {
      const found = branches.at(reader, trie, path, at)
      if (found === undefined) throw new Error('the database is damaged: a branch of the trie is missing')
      return found
    },
    leaf,
  }
}
