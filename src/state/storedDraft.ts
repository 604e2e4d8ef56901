import { compareBytes, concatBytes, emptyBytes, type Hash32 } from '../primitives/bytes.ts'
import { decodeRlp, encodeRlp, rlpBytes, rlpList } from '../primitives/rlp.ts'
import { code, meta, type StateTables } from '../store/schema.ts'
import type { Store } from '../store/store.ts'
import type { Reader, Table, Transaction } from '../store/table.ts'
import { toNibbles } from '../trie/nibbles.ts'
import type { TrieChange } from '../trie/subtree.ts'
import type { TrieReader } from '../trie/trieReader.ts'
import { updateTrie } from '../trie/updateTrie.ts'
import { type Account, encodeAccount } from '../types/account.ts'
import { accountTrie, type StoredBranch, storageTrie } from './branches.ts'
import type { Flat } from './flat.ts'
import { createSpace, successor } from './space.ts'
import type { HealedAccount, LeafChange, RangeProgress, StateDraft } from './stateDraft.ts'
import { createStateParts, keysBelow, readAccountTrie, readStorageTrie, type StateParts } from './stateParts.ts'
import { decodeStoredAccount, encodeStoredAccount } from './storedAccount.ts'

/** Key of the progress in `meta`. */
const progressKey = 'snap'
/** Rows that are removed in one transaction. */
const clearBatch = 5000

/** A key of a flat table and its next value; undefined removes it. */
interface Write {
  readonly key: Uint8Array
  readonly value: Uint8Array | undefined
  readonly leaf: TrieChange
}

/** A state without history that is being downloaded into tables of its own, with its tries. Addresses and slots are known by their hashes only. */
class StoredDraft implements StateDraft {
  private readonly store: Store
  private readonly tables: StateTables
  private readonly parts: StateParts

  constructor(store: Store, tables: StateTables) {
    this.store = store
    this.tables = tables
    this.parts = createStateParts(createSpace(emptyBytes, tables))
  }

  progress(): RangeProgress | undefined {
    const stored = this.store.read((reader) => reader.get(meta, progressKey))
    return stored && decodeProgress(stored)
  }

  saveProgress(progress: RangeProgress): void {
    this.store.write((txn) => txn.put(meta, progressKey, encodeProgress(progress)))
  }

  putAccounts(accounts: Parameters<StateDraft['putAccounts']>[0], progress: RangeProgress): void {
    this.store.write((txn) => {
      this.writeAccounts(txn, accounts)
      txn.put(meta, progressKey, encodeProgress(progress))
    })
  }

  clearOwners(from: Hash32, to: Hash32, kept: readonly Hash32[]): void {
    const end = successor(to)
    const within = kept.filter((owner) => compareBytes(owner, from) >= 0 && compareBytes(owner, to) <= 0)
    const edges = [undefined, ...within.sort(compareBytes), undefined]
    for (let i = 1; i < edges.length; i++) {
      const [before, next] = [edges[i - 1], edges[i]]
      const start = before ? successor(before) : from
      if (start) this.clearSlots(start, next ?? end)
    }
  }

  putSlots(owner: Hash32, slots: readonly { readonly key: Hash32; readonly value: Uint8Array }[]): void {
    if (slots.length > 0) this.store.write((txn) => this.writeSlots(txn, owner, slots))
  }

  hasCode(hash: Hash32): boolean {
    return this.store.read((reader) => reader.peek(code, hash) !== undefined)
  }

  putCode(hash: Hash32, bytes: Uint8Array): void {
    this.store.write((txn) => txn.put(code, hash, bytes))
  }

  account(key: Hash32): Account | undefined {
    return this.store.read((reader) => {
      const stored = this.parts.accounts.peek(reader, key, 'latest')
      return stored && decodeStoredAccount(stored)
    })
  }

  trie(owner: Hash32 | undefined): TrieReader {
    return this.readTrie(this.store.latest, owner)
  }

  *keysBelow(owner: Hash32 | undefined, prefix: Uint8Array): Iterable<Hash32> {
    const { from, to } = keysBelow(owner ?? emptyBytes, prefix)
    const flat = owner ? this.parts.slots : this.parts.accounts
    for (const { key } of flat.range(this.store.latest, from, to, 'latest')) yield key.slice(-32) as Hash32
  }

  heal(changes: readonly HealedAccount[]): void {
    this.store.write((txn) => {
      for (const { key, account, slots } of changes) {
        if (account) this.writeSlots(txn, key, slots)
        else for (const range of this.slotTables(key, successor(key))) removeRange(txn, range, clearAll)
      }
      this.writeAccounts(txn, changes)
    })
  }

  private readTrie(reader: Reader, owner: Hash32 | undefined): TrieReader<StoredBranch> {
    return owner ? readStorageTrie(this.parts, reader, owner, 'latest') : readAccountTrie(this.parts, reader, 'latest')
  }

  private writeAccounts(
    txn: Transaction,
    accounts: readonly { readonly key: Hash32; readonly account: Account | undefined }[],
  ): void {
    const writes = accounts.map(({ key, account }): Write => {
      const existed = this.parts.accounts.peek(txn, key, 'latest') !== undefined
      const leaf = { key: toNibbles(key), value: account && encodeAccount(account), existed }
      return { key, value: account && encodeStoredAccount(account), leaf }
    })
    this.write(txn, undefined, writes)
  }

  private writeSlots(txn: Transaction, owner: Hash32, slots: readonly LeafChange[]): void {
    const writes = slots.map(({ key: slot, value }): Write => {
      const key = concatBytes(owner, slot)
      const existed = this.parts.slots.peek(txn, key, 'latest') !== undefined
      return { key, value: value && rlpBytes(decodeRlp(value)), leaf: { key: toNibbles(slot), value, existed } }
    })
    this.write(txn, owner, writes)
  }

  /** Writes keys of one trie, and the branches that they change. */
  private write(txn: Transaction, owner: Hash32 | undefined, all: readonly Write[]): void {
    const writes = all
      .filter(({ value, leaf }) => value !== undefined || leaf.existed)
      .sort((a, b) => compareBytes(a.key, b.key))
    if (writes.length === 0) return
    const leaves = writes.map(({ leaf }) => leaf)
    const { branches } = updateTrie(this.readTrie(txn, owner), leaves)
    const flat = owner ? this.parts.slots : this.parts.accounts
    for (const { key, value } of writes)
      this.writeRow(txn, flat, owner ? this.tables.slots : this.tables.accounts, key, value)
    const trie = owner ? storageTrie(owner) : accountTrie
    for (const change of branches)
      if (change.after) this.parts.branches.write(txn, 0, [{ trie, change }])
      else txn.remove(this.tables.branches, concatBytes(trie, change.path))
  }

  private writeRow(
    txn: Transaction,
    flat: Flat,
    table: Table<Uint8Array, Uint8Array>,
    key: Uint8Array,
    value: Uint8Array | undefined,
  ): void {
    if (!value) txn.remove(table, key)
    else flat.write(txn, 0, [{ key, tag: emptyBytes, before: { value: undefined, row: undefined }, value }])
  }

  /** Where slots of accounts are, from one to before another: flat, and as branches of their tries. */
  private slotTables(from: Uint8Array, to: Uint8Array | undefined): readonly TableRange[] {
    return [
      { table: this.tables.slots, from, to },
      {
        table: this.tables.branches,
        from: storageTrie(from),
        to: to ? storageTrie(to) : successor(storageTrie(emptyBytes)),
      },
    ]
  }

  private clearSlots(from: Uint8Array, to: Uint8Array | undefined): void {
    for (const range of this.slotTables(from, to))
      while (this.store.write((txn) => removeRange(txn, range, clearBatch)) === clearBatch);
  }
}

interface TableRange {
  readonly table: Table<Uint8Array, Uint8Array>
  readonly from: Uint8Array
  readonly to: Uint8Array | undefined
}

const clearAll = 2 ** 31

/** Removes at most `limit` rows; returns how many there were. */
function removeRange(txn: Transaction, { table, from, to }: TableRange, limit: number): number {
  const rows = [...txn.range(table, { from, ...(to && { to }), limit })]
  for (const [key] of rows) txn.remove(table, key)
  return rows.length
}

function encodeProgress({ next, mixed }: RangeProgress): Uint8Array {
  return encodeRlp([next.map((key) => key ?? emptyBytes), mixed])
}

/** Throws if the bytes are none of a progress. */
export function decodeProgress(stored: Uint8Array): RangeProgress {
  const [next, mixed] = rlpList(decodeRlp(stored), 2)
  const keys = rlpList(next).map((key) => rlpBytes(key).slice() as Hash32)
  return {
    next: keys.map((key) => (key.length === 0 ? undefined : key)),
    mixed: rlpList(mixed).map((key) => rlpBytes(key, 32).slice() as Hash32),
  }
}

/** How much of the key space has come, between 0 and 1; undefined if nothing is being downloaded. */
export function readDraftShare(reader: Reader): number | undefined {
  const stored = reader.get(meta, progressKey)
  if (!stored) return undefined
  const { next } = decodeProgress(stored)
  const parts = next.map((key, i) => (key ? positionOf(key) * next.length - i : 1))
  return parts.reduce((sum, part) => sum + part, 0) / next.length
}

/** Where a key lies in the key space, between 0 and 1. */
function positionOf(key: Hash32): number {
  return new DataView(key.buffer, key.byteOffset).getUint32(0) / 2 ** 32
}

/** Removes the progress of a draft: it is complete, or is begun anew. */
export function forgetProgress(txn: Transaction): void {
  txn.remove(meta, progressKey)
}

/** The draft in `tables`, which nobody else uses. */
export function createStoredDraft(store: Store, tables: StateTables): StateDraft {
  return new StoredDraft(store, tables)
}
