import { concatBytes, equalBytes, type Hash32, keyOf } from '../../primitives/bytes.ts'
import { toHex } from '../../primitives/hex.ts'
import { emptyCodeHash, keccak256 } from '../../primitives/keccak.ts'
import { encodeRlp } from '../../primitives/rlp.ts'
import { code } from '../../store/schema.ts'
import type { Reader } from '../../store/table.ts'
import { toNibbles } from '../../trie/nibbles.ts'
import type { TrieChange } from '../../trie/subtree.ts'
import { emptyTrie } from '../../trie/trieReader.ts'
import { updateTrie } from '../../trie/updateTrie.ts'
import { encodeAccount } from '../../types/account.ts'
import { accountTrie, type StoredBranch, storageTrie } from '../branches.ts'
import { decodeRow, valueLength } from '../row.ts'
import { slotOfTag } from '../slotOfTag.ts'
import { successor } from '../space.ts'
import type { StateParts } from '../stateParts.ts'
import { decodeStoredAccount, encodeStoredAccount } from '../storedAccount.ts'
import type { Report } from './report.ts'

/**
 * Computes the root of the newest state again, from its accounts and slots alone, and compares it and every branch node on the
 * way with what is stored. Where blocks have been forgotten, the state may have been taken over from peers, who know no addresses.
 */
export function verifyLatest(
  parts: StateParts,
  reader: Reader,
  { root: want, isWhole }: { readonly root: Hash32; readonly isWhole: boolean },
  report: Report,
): void {
  const { space } = parts
  const { accounts, slots, branches } = space.tables
  const names = { accounts: accounts.name, slots: slots.name, branches: branches.name }
  let branchCount = 0
  let slotCount = 0

  /** Compares the branch nodes of a trie with those that its leaves call for; returns its root. */
  function rootOf(trie: Uint8Array, leaves: readonly TrieChange[]): Hash32 {
    const built = updateTrie<StoredBranch>(emptyTrie, leaves)
    const wanted = new Map(built.branches.map(({ path, after }) => [keyOf(path), after]))
    for (const { path, branch } of parts.branches.range(reader, trie, 'latest')) {
      const after = wanted.get(keyOf(path))
      if (!after || !equalBytes(after, branch.children)) throw new Error('a branch node does not fit its leaves')
      branchCount++
      wanted.delete(keyOf(path))
    }
    if (wanted.size > 0) throw new Error('a branch node is missing')
    return built.root
  }

  function storageRootOf(addressHash: Uint8Array): Hash32 {
    const leaves: TrieChange[] = []
    for (const { key, cell } of parts.slots.range(reader, addressHash, successor(addressHash), 'latest')) {
      leaves.push({ key: toNibbles(key.subarray(32)), value: encodeRlp(cell.value), existed: false })
      slotCount++
    }
    return rootOf(storageTrie(addressHash), leaves)
  }

  const leaves: TrieChange[] = []
  for (const [stored, row] of reader.range(accounts, rangeOf(space))) {
    const key = space.unkey(stored)
    const { value, tag } = decodeRow(row)
    const isUnnamed = tag.length === 0 && !isWhole
    const address = isUnnamed ? `with the hash ${toHex(key)}` : toHex(tag)
    if (!isUnnamed && (tag.length !== 20 || !equalBytes(keccak256(tag), key)))
      report.fault(names.accounts, `the row of ${address} is damaged`)
    if (value.length === 0) continue
    const account = decodeStoredAccount(value)
    if (!equalBytes(encodeStoredAccount(account), value)) report.fault(names.accounts, `account ${address} is damaged`)
    checkCode(reader, account.codeHash, `account ${address}`, report)
    let storageRoot: Hash32 | undefined
    try {
      storageRoot = storageRootOf(key)
    } catch (error) {
      report.fault(names.branches, `storage of ${address}: ${(error as Error).message}`)
    }
    if (storageRoot && !equalBytes(storageRoot, account.storageRoot))
      report.fault(names.slots, `the storage of ${address} does not have the root that the account names`)
    leaves.push({ key: toNibbles(key), value: encodeAccount(account), existed: false })
    if (leaves.length % 1000 === 0) report.progress('state', leaves.length, leaves.length)
  }
  const root = rootOf(accountTrie, leaves)
  if (!equalBytes(root, want))
    report.fault(names.accounts, `the newest state has the root ${toHex(root)}, but should have ${toHex(want)}`)
  if (countValues(reader, slots, space) !== slotCount) report.fault(names.slots, 'a slot belongs to no account')
  if (countValues(reader, branches, space) !== branchCount)
    report.fault(names.branches, 'a branch node belongs to no account')
  for (const [stored, row] of reader.range(slots, rangeOf(space))) {
    const { tag } = decodeRow(row)
    const hash = space.unkey(stored).subarray(32)
    const slot = tag.length > 32 ? undefined : slotOfTag(tag, hash)
    const isUnnamed = tag.length === 0 && !slot && !isWhole
    if (!isUnnamed && !(slot && equalBytes(keccak256(slot), hash)))
      report.fault(names.slots, `the row of slot ${toHex(tag)} is damaged`)
  }
}

/** Bounds of a state's rows in its tables. */
export function rangeOf({ group, end }: StateParts['space']): { from?: Uint8Array; to?: Uint8Array } {
  return { ...(group.length > 0 && { from: concatBytes(group) }), ...(end && { to: end }) }
}

/** Number of rows that have a value now. */
function countValues(
  reader: Reader,
  table: StateParts['space']['tables']['slots'],
  space: StateParts['space'],
): number {
  let count = 0
  for (const [, row] of reader.range(table, rangeOf(space))) if (valueLength(row) > 0) count++
  return count
}

/** Reports code that an account names and that is not there. */
export function checkCode(reader: Reader, hash: Hash32, where: string, report: Report): void {
  if (!equalBytes(hash, emptyCodeHash) && reader.peek(code, hash) === undefined)
    report.fault(code.name, `the code of ${where} is missing`)
}
