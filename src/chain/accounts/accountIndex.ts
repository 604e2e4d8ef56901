import { type Address, bytesOfKey } from '../../primitives/bytes.ts'
import { accountBlockRange, accountBlocks, accountRows, type BlockRange } from '../../store/chainTables.ts'
import type { Store } from '../../store/store.ts'
import type { Reader, Transaction } from '../../store/table.ts'
import type { Tx } from '../../types/transaction.ts'
import { readMark } from '../records.ts'
import type { StoredReceipt } from '../view.ts'
import { createAccountBatch } from './accountBatch.ts'
import { countAccounts, type PackedAccounts, packAccounts, visitAccounts } from './accountsIn.ts'

const rangeKey = 'range'

/** The blocks that have rows for each account; undefined where accounts were never indexed. */
export function readMergedRange(reader: Reader): BlockRange | undefined {
  return reader.get(accountBlockRange, rangeKey)
}

/** Says which blocks have rows for each account. */
export function writeMergedRange(txn: Transaction, range: BlockRange): void {
  txn.put(accountBlockRange, rangeKey, range)
}

/** The blocks that the index has, as rows for each account or one by one; undefined where accounts were never indexed. */
export function readIndexRange(reader: Reader): BlockRange | undefined {
  const merged = readMergedRange(reader)
  if (!merged) return undefined
  for (const [last] of reader.range(accountBlocks, { reverse: true, limit: 1 })) return { first: merged.first, last }
  return merged
}

/** Starts an index at the head, unless there is one. */
export function beginAccountIndex(store: Store): void {
  if (store.read(readMergedRange)) return
  store.write((txn) => {
    const head = readMark(txn, 'head')!.number
    // The genesis block has no transactions.
    writeMergedRange(txn, { first: head === 0 ? 0 : head + 1, last: head })
  })
}

/** Rows of `accountBlocks` begin with the number of entries in this row and those before. */
const countLength = 4

function readCount(reader: Reader, number: number): number | undefined {
  const row = reader.peek(accountBlocks, number)
  return row && new DataView(row.buffer, row.byteOffset).getUint32(0)
}

/** The blocks that wait to be merged and are not below `from`; ascending unless `reverse`. */
export function* readWaiting(
  reader: Reader,
  from: number,
  reverse = false,
): Iterable<{ readonly number: number; readonly packed: PackedAccounts }> {
  for (const [number, row] of reader.range(accountBlocks, { from, reverse }))
    yield { number, packed: row.subarray(countLength) }
}

/** How blocks come: one at a time, while others ask and wait for it, or from a file, when nobody does. */
export type IndexPace = 'live' | 'bulk'

/**
 * Blocks and entries that wait at most: those who ask look through all of them, and to merge them must not hold up a block. More at
 * a time make fewer rows.
 */
export const maxWaiting = {
  live: { blocks: 256, entries: 16_384 },
  bulk: { blocks: 1024, entries: 65_536 },
} as const satisfies Record<IndexPace, object>

/** Makes rows for each account of the blocks that wait. One row for many blocks costs a fraction of one for each. */
export function mergeWaiting(txn: Transaction): void {
  const { first, last } = readMergedRange(txn)!
  const batch = createAccountBatch()
  const waiting = [...readWaiting(txn, last + 1)]
  for (const { number, packed } of waiting) batch.add(number, packed)
  batch.write(txn)
  for (const { number } of waiting) txn.remove(accountBlocks, number)
  writeMergedRange(txn, { first, last: waiting.at(-1)?.number ?? last })
}

/** Adds the new head; an index that is behind is brought forward by the indexer. */
export function extendAccountIndex(
  txn: Transaction,
  number: number,
  txs: readonly Tx[],
  receipts: readonly StoredReceipt[],
  pace: IndexPace,
): void {
  const merged = readMergedRange(txn)
  if (!merged) return
  const before = number === merged.last + 1 ? 0 : readCount(txn, number - 1)
  if (before === undefined) return
  const packed = packAccounts(txs, receipts)
  const count = before + countAccounts(packed)
  const row = new Uint8Array(countLength + packed.length)
  new DataView(row.buffer).setUint32(0, count)
  row.set(packed, countLength)
  txn.append(accountBlocks, number, row)
  const { blocks, entries } = maxWaiting[pace]
  if (count >= entries || number >= merged.last + blocks) mergeWaiting(txn)
}

/** Takes a block out of an account's last row. */
function cutRow(txn: Transaction, address: Address, number: number): void {
  const last = { from: { address, number }, to: { address, number: 0 }, reverse: true, limit: 1 }
  const [row] = txn.range(accountRows, last)
  if (!row) return
  const [key, places] = row
  let end = places.length
  while (end > 0 && key.number + places[end - 2]! >= number) end -= 2
  if (end === 0) txn.remove(accountRows, key)
  else if (end < places.length) txn.put(accountRows, key, places.slice(0, end))
}

/** Takes a block that is no longer canonical out of the index, if it has it. */
export function shortenAccountIndex(
  txn: Transaction,
  number: number,
  txs: readonly Tx[],
  receipts: readonly StoredReceipt[],
): void {
  const merged = readMergedRange(txn)
  if (!merged) return
  if (number > merged.last) {
    txn.remove(accountBlocks, number)
    return
  }
  if (number >= merged.first)
    visitAccounts(packAccounts(txs, receipts), (key) => cutRow(txn, bytesOfKey(key) as Address, number))
  writeMergedRange(txn, { first: Math.min(merged.first, number), last: number - 1 })
}
