import { compareBytes, type Hash32 } from '../primitives/bytes.ts'
import { type BlockKey, canonical, transactions } from '../store/chainTables.ts'
import type { Transaction } from '../store/table.ts'
import { txHash } from '../types/encodeTx.ts'
import type { Tx } from '../types/transaction.ts'
import type { IndexPace } from './blockIndex/blockIndex.ts'
import { blockIndexes } from './blockIndexes.ts'
import { addGap } from './logs/logGaps.ts'
import { indexLogs, unindexLogs } from './logs/logIndex.ts'
import { readBody, readReceipts, requireHeaderRecord, writeMark } from './records.ts'
import type { HashedHeader, StoredReceipt } from './view.ts'

/** Which indexes get the blocks that are put at the end. */
export interface IndexOptions {
  readonly indexLogs: boolean
  /** Undefined if accounts and tokens are not indexed. */
  readonly indexPace: IndexPace | undefined
}

/** Puts an executed block at the end of the canonical chain. */
export function appendCanonical(
  txn: Transaction,
  key: BlockKey,
  txs: readonly Tx[],
  receipts: readonly StoredReceipt[],
  options: IndexOptions,
): void {
  txn.put(canonical, key.number, key.hash)
  indexBlock(txn, key.number, txs, receipts, options)
  if (options.indexPace) for (const index of blockIndexes) index.extend(txn, key, txs, receipts, options.indexPace)
  writeMark(txn, 'head', key.hash)
}

/** Makes the transactions and logs of a canonical block found. */
export function indexBlock(
  txn: Transaction,
  number: number,
  txs: readonly Tx[],
  receipts: readonly StoredReceipt[],
  options: Pick<IndexOptions, 'indexLogs'>,
): void {
  const places = txs.map((tx, index) => ({ hash: txHash(tx), index }))
  places.sort((a, b) => compareBytes(a.hash, b.hash))
  for (const { hash, index } of places) txn.put(transactions, hash, { number, index })
  const logs = receipts.flatMap((receipt) => receipt.logs)
  if (options.indexLogs) indexLogs(txn, number, logs)
  else if (logs.length > 0) addGap(txn, number)
}

/** Takes the last canonical block out of the indexes, but does not unwind its state; returns the new head. */
export function dropCanonical(txn: Transaction, key: BlockKey): HashedHeader {
  const { header } = requireHeaderRecord(txn, key)
  const txs = readBody(txn, key)!.transactions
  const receipts = readReceipts(txn, key)!
  for (const tx of txs) txn.remove(transactions, txHash(tx) as Hash32)
  unindexLogs(
    txn,
    key.number,
    receipts.flatMap(({ logs }) => logs),
  )
  const parent = { number: key.number - 1, hash: header.parentHash }
  for (const index of blockIndexes) index.shorten(txn, key, parent, txs, receipts)
  txn.remove(canonical, key.number)
  writeMark(txn, 'head', parent.hash)
  return requireHeaderRecord(txn, parent)
}
