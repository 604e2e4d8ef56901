import type { Address } from '../../primitives/bytes.ts'
import {
  compareBytes,
  concatBytes,
  emptyBytes,
  equalBytes,
  type Hash32,
  keyOf,
  zeroHash,
} from '../../primitives/bytes.ts'
import { toHex } from '../../primitives/hex.ts'
import type { Reader } from '../../store/table.ts'
import { emptyTrieRoot } from '../../types/account.ts'
import type { AccountChange, SlotChange } from '../../types/stateChanges.ts'
import { unpackPast } from '../packedHistory.ts'
import { decodeRow } from '../row.ts'
import { slotOfTag } from '../slotOfTag.ts'
import type { StateParts } from '../stateParts.ts'
import { decodeStoredAccount } from '../storedAccount.ts'
import { computeUpdate } from '../update.ts'
import type { Report } from './report.ts'
import { checkCode } from './verifyLatest.ts'

/** A block of a state and the root after it. */
export interface StateRoot {
  readonly block: number
  readonly root: Hash32
}

/**
 * Goes back from the newest state block by block: the values before a block, put into the state after it, must lead to the root
 * before it, and to the branch nodes that are stored for then. `roots` are those of the state in order.
 */
export function verifyHistory(
  parts: StateParts,
  reader: Reader,
  roots: readonly StateRoot[],
  floor: number,
  report: Report,
): void {
  const first = roots[0]
  if (!first) return
  for (let i = roots.length - 1; i > 0; i--) {
    goBack(parts, reader, roots[i]!.block, roots[i - 1]!.root, report)
    report.progress('history', roots.length - i, roots.length)
  }
  if (first.block > floor) goBack(parts, reader, first.block, emptyTrieRoot, report)
}

function goBack(parts: StateParts, reader: Reader, block: number, want: Hash32, report: Report): void {
  const { tables } = parts.space
  const { changes, rows } = changesBefore(parts, reader, block, report)
  const update = computeUpdate(parts, reader, block, { accounts: changes, codes: [] })
  if (!equalBytes(update.root, want)) {
    report.fault(
      tables.accountHistory.name,
      `the state before block ${block} has the root ${toHex(update.root)}, but should have ${toHex(want)}`,
    )
    return
  }
  // The root of an account's slots is computed, not read: the row may have another one.
  for (const { key, value } of update.accounts)
    if (!equalBytes(rows.get(keyOf(key)) ?? emptyBytes, value ?? emptyBytes))
      report.fault(tables.accountHistory.name, `an account before block ${block} does not fit its slots`)
  for (const { trie, change } of update.branches) {
    const stored = parts.branches.at(reader, trie, change.path, block - 1)?.children
    if (!equalBytes(stored ?? emptyBytes, change.after ?? emptyBytes))
      report.fault(tables.branchHistory.name, `a branch node before block ${block} does not fit its leaves`)
  }
  const changed = new Set(update.branches.map(({ trie, change }) => keyOf(concatBytes(trie, change.path))))
  checkPastBranches(parts, reader, block, changed, report)
}

/** Every branch node that a block changed, and none that it did not, has a former form. */
function checkPastBranches(
  parts: StateParts,
  reader: Reader,
  block: number,
  changed: ReadonlySet<string>,
  report: Report,
): void {
  const { space } = parts
  let count = 0
  for (const [, packed] of reader.range(space.tables.branchHistory, {
    from: space.atBlock(block),
    to: space.atBlock(block + 1),
  }))
    for (const { key } of unpackPast(packed)) {
      if (changed.has(keyOf(key))) count++
      else if (!isSame(parts, reader, key, block))
        report.fault(space.tables.branchHistory.name, `a branch node before block ${block} does not fit its leaves`)
    }
  if (count !== changed.size)
    report.fault(space.tables.branchHistory.name, `branch nodes before block ${block} are missing`)
}

/** Whether a branch node is before a block what it is after it. */
function isSame(parts: StateParts, reader: Reader, key: Uint8Array, block: number): boolean {
  const length = key[0] === 0 ? 1 : 33
  const at = (number: number) =>
    parts.branches.at(reader, key.subarray(0, length), key.subarray(length), number)?.children ?? emptyBytes
  return equalBytes(at(block), at(block - 1).slice())
}

interface PastAccounts {
  readonly changes: AccountChange[]
  /** The stored accounts by the hash of their address. */
  readonly rows: ReadonlyMap<string, Uint8Array>
}

/** What takes the state after a block back to the one before it. */
function changesBefore(parts: StateParts, reader: Reader, block: number, report: Report): PastAccounts {
  const { space } = parts
  const range = { from: space.atBlock(block), to: space.atBlock(block + 1) }
  const slots = new Map<string, SlotChange[]>()
  for (const [stored, past] of reader.range(space.tables.slotHistory, range)) {
    const key = space.unblock(stored)
    const row = reader.get(space.tables.slots, space.key(key))
    if (!row) throw new Error(`a slot that block ${block} changed is missing`)
    const owner = keyOf(key.subarray(0, 32))
    const list = slots.get(owner) ?? []
    list.push(slotChangeOf(decodeRow(row).tag, key.slice(32) as Hash32, past.subarray(1)))
    slots.set(owner, list)
  }
  const changes: AccountChange[] = []
  const rows = new Map<string, Uint8Array>()
  for (const [stored, past] of reader.range(space.tables.accountHistory, range)) {
    const key = space.unblock(stored)
    const row = reader.get(space.tables.accounts, space.key(key))
    if (!row) throw new Error(`an account that block ${block} changed is missing`)
    const address = decodeRow(row).tag as Address
    rows.set(keyOf(key), past.slice(1))
    const account = past.length > 1 ? decodeStoredAccount(past.subarray(1)) : undefined
    if (account) checkCode(reader, account.codeHash, `${toHex(address)} before block ${block}`, report)
    changes.push({ address, account, wiped: false, slots: account ? (slots.get(keyOf(key)) ?? []) : [] })
    slots.delete(keyOf(key))
  }
  if (slots.size > 0) throw new Error(`block ${block} changed slots of an account that it did not change`)
  return { changes: changes.sort((a, b) => compareBytes(a.address, b.address)), rows }
}

/** Storage that is wiped may have slots whose numbers nobody knows. */
function slotChangeOf(tag: Uint8Array, hash: Hash32, value: Uint8Array): SlotChange {
  const slot = slotOfTag(tag, hash)
  return slot ? { slot, value } : { slot: zeroHash, hash, value }
}
