import { bytesOfKey, equalBytes, keyOf } from '../../primitives/bytes.ts'
import { logIndex, logPageBlocks } from '../../store/chainTables.ts'
import type { Reader, Transaction } from '../../store/table.ts'
import { orderedTrieRoot } from '../../trie/orderedRoot.ts'
import { encodeReceipt } from '../../types/receipt.ts'
import { canonicalKey, readReceipts, requireHeaderRecord } from '../records.ts'
import { readPast } from '../takeOver/past.ts'
import { marksOf } from './logIndex.ts'

/** Rows of one page of the log index: bits by the key of the mark. */
export type PageRows = ReadonlyMap<string, Uint8Array>

/** The page of a block. */
export function pageOf(number: number): number {
  return Math.floor(number / logPageBlocks)
}

/** The rows that a page must have for the receipts of its canonical blocks; `checked` compares those with their headers. */
export function expectedRows(reader: Reader, page: number, checked: boolean): PageRows {
  const rows = new Map<string, Uint8Array>()
  const first = page * logPageBlocks
  const kept = (readPast(reader)?.first ?? 0) - first
  for (let i = Math.max(0, kept); i < logPageBlocks; i++) {
    const key = canonicalKey(reader, BigInt(first + i))
    if (!key) break
    const receipts = readReceipts(reader, key) ?? []
    const root = requireHeaderRecord(reader, key).header.receiptsRoot
    if (checked && !equalBytes(orderedTrieRoot(receipts.map(encodeReceipt)), root))
      throw new Error(`the database is damaged: the receipts of block ${first + i} do not match its header`)
    for (const mark of marksOf(receipts.flatMap(({ logs }) => logs))) {
      let bits = rows.get(keyOf(mark))
      if (!bits) rows.set(keyOf(mark), (bits = new Uint8Array(logPageBlocks / 8)))
      bits[i >> 3]! |= 1 << (i & 7)
    }
  }
  return rows
}

/** Writes the rows that are missing or wrong; returns how many there were. */
export function putPageRight(txn: Transaction, page: number, rows: PageRows): number {
  let wrong = 0
  for (const [markKey, bits] of [...rows].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const key = { mark: bytesOfKey(markKey), page }
    const stored = txn.peek(logIndex, key)
    if (stored && equalBytes(stored, bits)) continue
    txn.put(logIndex, key, bits)
    wrong++
  }
  return wrong
}
