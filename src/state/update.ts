import {
  compareBytes,
  concatBytes,
  emptyBytes,
  equalBytes,
  type Hash32,
  keyOf,
  trimZeros,
} from '../primitives/bytes.ts'
import { keccak256 } from '../primitives/keccak.ts'
import { encodeRlp } from '../primitives/rlp.ts'
import { runSteps, type Steps } from '../primitives/steps.ts'
import type { Reader } from '../store/table.ts'
import { toNibbles } from '../trie/nibbles.ts'
import type { TrieChange } from '../trie/subtree.ts'
import { emptyTrie } from '../trie/trieReader.ts'
import { type BranchChange, updateTrie, updateTrieInSteps } from '../trie/updateTrie.ts'
import { type Account, emptyAccount, emptyTrieRoot, encodeAccount } from '../types/account.ts'
import type { AccountChange, StateChanges } from '../types/stateChanges.ts'
import { accountTrie, type PlacedChange, type StoredBranch, storageTrie } from './branches.ts'
import type { BlockChoice, Cell, FlatChange } from './flat.ts'
import { successor } from './space.ts'
import { readAccountTrie, readStorageTrie, type StateParts } from './stateParts.ts'
import { decodeStoredAccount, encodeStoredAccount } from './storedAccount.ts'

/** Everything that changes write to the tables, each in the order of its keys, and the state root they lead to. */
export interface StateUpdate {
  readonly root: Hash32
  readonly accounts: readonly FlatChange[]
  readonly slots: readonly FlatChange[]
  readonly branches: readonly PlacedChange[]
}

/** Computes what `changes` do to the state at a block; nothing is written. */
export function computeUpdate(parts: StateParts, reader: Reader, at: BlockChoice, changes: StateChanges): StateUpdate {
  return runSteps(computeUpdateInSteps(parts, reader, at, changes))
}

/** Accounts or slots between two pauses. */
const stepSize = 32

/** The same in steps. */
export function* computeUpdateInSteps(
  parts: StateParts,
  reader: Reader,
  at: BlockChoice,
  changes: StateChanges,
): Steps<StateUpdate> {
  const sorted = changes.accounts.map(withHash).sort(compareHashes)
  const accounts: FlatChange[] = []
  const leaves: TrieChange[] = []
  const slots: FlatChange[] = []
  const storageBranches: PlacedChange[] = []

  for (const [i, { change, hash }] of sorted.entries()) {
    if (i % stepSize === 0) yield
    const before = parts.accounts.cell(reader, hash, at)
    const account = before.value && decodeStoredAccount(before.value)
    const storage = yield* updateStorage(parts, reader, at, hash, account, change)
    // One by one: there may be more than a call takes arguments.
    for (const slot of storage.slots) slots.push(slot)
    for (const branch of storage.branches) storageBranches.push(branch)
    const next: Account | undefined = change.account && { ...change.account, storageRoot: storage.root }
    const value = next && encodeStoredAccount(next)
    if (equalBytes(value ?? emptyBytes, before.value ?? emptyBytes)) continue
    accounts.push({ key: hash, tag: change.address, before, value })
    leaves.push({ key: toNibbles(hash), value: next && encodeAccount(next), existed: account !== undefined })
  }

  const trie = yield* updateTrieInSteps(readAccountTrie(parts, reader, at), leaves)
  const accountBranches = trie.branches.map((change) => ({ trie: accountTrie, change }))
  return { root: trie.root, accounts, slots, branches: [...accountBranches, ...storageBranches] }
}

function withHash(change: AccountChange) {
  return { change, hash: keccak256(change.address) }
}

function compareHashes(a: { readonly hash: Hash32 }, b: { readonly hash: Hash32 }): number {
  return compareBytes(a.hash, b.hash)
}

interface StorageUpdate {
  readonly root: Hash32
  readonly slots: readonly FlatChange[]
  readonly branches: readonly PlacedChange[]
}

function* updateStorage(
  parts: StateParts,
  reader: Reader,
  at: BlockChoice,
  addressHash: Hash32,
  account: Account | undefined,
  change: AccountChange,
): Steps<StorageUpdate> {
  const root = (account ?? emptyAccount).storageRoot
  const hadSlots = !equalBytes(root, emptyTrieRoot)
  const wiped = hadSlots && (change.wiped || change.account === undefined)
  if (!wiped && change.slots.length === 0) return { root, slots: [], branches: [] }
  const slots = yield* slotChanges(parts, reader, at, addressHash, change)
  return wiped
    ? replaceStorage(parts, reader, at, addressHash, slots)
    : yield* mergeStorage(parts, reader, at, addressHash, root, hadSlots, slots)
}

/** A slot that is written, by the hash of its number, with what it held. */
interface SlotWrite {
  readonly key: Uint8Array
  readonly hash: Hash32
  readonly slot: Uint8Array
  readonly before: Cell
  readonly value: Uint8Array
}

function* slotChanges(
  parts: StateParts,
  reader: Reader,
  at: BlockChoice,
  addressHash: Hash32,
  { account, slots }: AccountChange,
): Steps<SlotWrite[]> {
  if (account === undefined) return []
  const writes: SlotWrite[] = []
  for (const [i, { slot, value, hash: known }] of slots.entries()) {
    if (i % stepSize === 0) yield
    const hash = known ?? keccak256(slot)
    const key = concatBytes(addressHash, hash)
    writes.push({ key, hash, slot, before: parts.slots.cell(reader, key, at), value: trimZeros(value) })
  }
  return writes.sort(compareHashes)
}

function flatChange({ key, slot, before, value }: SlotWrite): FlatChange {
  return { key, tag: trimZeros(slot), before, value: value.length === 0 ? undefined : value }
}

function* mergeStorage(
  parts: StateParts,
  reader: Reader,
  at: BlockChoice,
  addressHash: Hash32,
  root: Hash32,
  hadSlots: boolean,
  writes: readonly SlotWrite[],
): Steps<StorageUpdate> {
  const real = writes.filter(isReal)
  if (real.length === 0) return { root, slots: [], branches: [] }
  const leaves = real.map(leafOf)
  const trie = yield* updateTrieInSteps(hadSlots ? readStorageTrie(parts, reader, addressHash, at) : emptyTrie, leaves)
  return {
    root: trie.root,
    slots: real.map(flatChange),
    branches: place(addressHash, trie.branches),
  }
}

/** Whether the slot gets another value. */
function isReal({ before, value }: SlotWrite): boolean {
  return !equalBytes(before.value ?? emptyBytes, value)
}

function leafOf({ hash, before, value }: SlotWrite): TrieChange {
  return slotLeaf(hash, value, before.value !== undefined)
}

const allNibbles = 0xffff

/** Removes all slots, then adds those of `writes` to an empty trie. */
function replaceStorage(
  parts: StateParts,
  reader: Reader,
  at: BlockChoice,
  addressHash: Hash32,
  writes: readonly SlotWrite[],
): StorageUpdate {
  const kept = writes.filter(({ value }) => value.length > 0)
  const trie = updateTrie(
    emptyTrie,
    kept.map(({ hash, value }) => slotLeaf(hash, value, false)),
  )
  const slots = new Map<string, FlatChange>()
  for (const { key, tag, cell } of parts.slots.range(reader, addressHash, successor(addressHash), at))
    slots.set(keyOf(key), { key, tag, before: cell, value: undefined })
  for (const write of kept) {
    const change = flatChange(write)
    if (isReal(write)) slots.set(keyOf(change.key), change)
    else slots.delete(keyOf(change.key))
  }
  const branches = new Map<string, BranchChange<StoredBranch>>()
  for (const { path, branch } of parts.branches.range(reader, storageTrie(addressHash), at))
    branches.set(keyOf(path), { path, before: branch, after: undefined, mask: allNibbles })
  for (const { path, after } of trie.branches)
    branches.set(keyOf(path), { path, before: branches.get(keyOf(path))?.before, after, mask: allNibbles })
  return {
    root: trie.root,
    slots: [...slots.values()].sort((a, b) => compareBytes(a.key, b.key)),
    branches: place(
      addressHash,
      [...branches.values()].sort((a, b) => compareBytes(a.path, b.path)),
    ),
  }
}

function slotLeaf(hash: Hash32, value: Uint8Array, existed: boolean): TrieChange {
  return { key: toNibbles(hash), value: value.length === 0 ? undefined : encodeRlp(value), existed }
}

function place(addressHash: Hash32, changes: readonly BranchChange<StoredBranch>[]): PlacedChange[] {
  const trie = storageTrie(addressHash)
  return changes.map((change) => ({ trie, change }))
}
