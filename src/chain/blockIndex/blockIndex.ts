import { equalBytes } from '../../primitives/bytes.ts'
import type { BlockRange } from '../../store/blockRange.ts'
import type { BlockKey } from '../../store/chainTables.ts'
import type { Store } from '../../store/store.ts'
import type { Reader, Table, Transaction } from '../../store/table.ts'
import type { Tx } from '../../types/transaction.ts'
import { canonicalKey, readBody, readIndexTip, readMark, readReceipts, writeIndexTip } from '../records.ts'
import { readPast } from '../takeOver/past.ts'
import type { StoredReceipt } from '../view.ts'

/** How blocks come: one at a time, while others ask and wait for it, or from a file, when nobody does. */
export type IndexPace = 'live' | 'bulk'

/** What an index takes from one block, in bytes. */
export interface PackedBlock {
  readonly number: number
  readonly packed: Uint8Array
}

/** What one index is about. */
export interface IndexKind {
  /** In the plural, for log lines. */
  readonly name: string
  readonly range: Table<string, BlockRange>
  /** Blocks that have no rows yet. */
  readonly waiting: Table<number, Uint8Array>
  /** The rows that blocks are merged into. */
  readonly rows: readonly Table<unknown, unknown>[]
  /**
   * Blocks and entries that wait at most: those who ask look through all of them, and to merge them must not hold up a block. More at
   * a time make fewer rows.
   */
  readonly maxWaiting: Readonly<Record<IndexPace, { readonly blocks: number; readonly entries: number }>>
  pack(txs: readonly Tx[], receipts: readonly StoredReceipt[]): Uint8Array
  count(packed: Uint8Array): number
  /** Writes rows of successive blocks, ascending. */
  add(txn: Transaction, blocks: readonly PackedBlock[]): void
  /** Takes the last block that has rows out of them. */
  cut(txn: Transaction, block: PackedBlock): void
  /** Takes blocks below `first` out of the rows that are about what a block has; absent where rows are sums that outlive their blocks. */
  forget?(txn: Transaction, packed: Uint8Array, first: number): void
}

const rangeKey = 'range'
/** Rows of waiting blocks begin with the number of entries in this row and those before. */
const countLength = 4
/** The first block that can be indexed: transactions of those below are not here. */
const lowestOf = (reader: Reader): number => readPast(reader)?.first ?? 0

/** Rows that are removed in one transaction. */
const removedAtOnce = 10_000

/**
 * An index of what blocks contain, which follows from their bodies and receipts. New blocks wait, as one row each, until many of them are
 * merged into rows; blocks from before there was an index are added later (`startIndexers`).
 */
export class BlockIndex {
  readonly kind: IndexKind

  constructor(kind: IndexKind) {
    this.kind = kind
  }

  /** The blocks that are merged; undefined where the index was never on. */
  readonly readMergedRange = (reader: Reader): BlockRange | undefined => reader.get(this.kind.range, rangeKey)

  /** The blocks that the index has, merged or waiting; undefined where it was never on. */
  readonly readRange = (reader: Reader): BlockRange | undefined => {
    const merged = this.readMergedRange(reader)
    if (!merged) return undefined
    for (const [last] of reader.range(this.kind.waiting, { reverse: true, limit: 1 }))
      return { first: merged.first, last }
    return merged
  };

  /** The blocks that wait to be merged and are not below `from`; ascending unless `reverse`. */
  *readWaiting(reader: Reader, from: number, reverse = false): Iterable<PackedBlock> {
    for (const [number, row] of reader.range(this.kind.waiting, { from, reverse }))
      yield { number, packed: row.subarray(countLength) }
  }

  /** Starts an index at the head, unless there is one of this chain. */
  begin(store: Store): void {
    if (store.read((reader) => this.readMergedRange(reader) !== undefined && this.isOfChain(reader))) return
    while (store.write((txn) => this.removeSome(txn)));
    store.write((txn) => {
      const head = readMark(txn, 'head')!
      // The genesis block has no transactions.
      this.writeMergedRange(txn, { first: head.number === 0 ? 0 : head.number + 1, last: head.number })
      writeIndexTip(txn, this.kind.name, head.hash)
    })
  }

  /** Adds the new head; an index that is behind is brought forward by the indexer. */
  extend(
    txn: Transaction,
    { number, hash }: BlockKey,
    txs: readonly Tx[],
    receipts: readonly StoredReceipt[],
    pace: IndexPace,
  ): void {
    const merged = this.readMergedRange(txn)
    if (!merged) return
    const before = number === merged.last + 1 ? 0 : this.readCount(txn, number - 1)
    if (before === undefined) return
    const packed = this.kind.pack(txs, receipts)
    const count = before + this.kind.count(packed)
    const { blocks, entries } = this.kind.maxWaiting[pace]
    if (count >= entries || number >= merged.last + blocks) this.merge(txn, [{ number, packed }])
    else {
      const row = new Uint8Array(countLength + packed.length)
      new DataView(row.buffer).setUint32(0, count)
      row.set(packed, countLength)
      txn.append(this.kind.waiting, number, row)
    }
    writeIndexTip(txn, this.kind.name, hash)
  }

  /** Goes on after a block whose former blocks are not indexed, and back from there. */
  jump(txn: Transaction, { number, hash }: BlockKey): void {
    if (!this.readMergedRange(txn)) return
    this.writeMergedRange(txn, { first: number + 1, last: number })
    writeIndexTip(txn, this.kind.name, hash)
  }

  /** Takes a block that is no longer canonical out of the index, if it has it. */
  shorten(
    txn: Transaction,
    { number }: BlockKey,
    parent: BlockKey,
    txs: readonly Tx[],
    receipts: readonly StoredReceipt[],
  ): void {
    const merged = this.readMergedRange(txn)
    if (!merged) return
    if (number > merged.last) {
      if (txn.peek(this.kind.waiting, number) === undefined) return
      txn.remove(this.kind.waiting, number)
    } else {
      if (number >= merged.first) this.kind.cut(txn, { number, packed: this.kind.pack(txs, receipts) })
      this.writeMergedRange(txn, { first: Math.min(merged.first, number), last: number - 1 })
    }
    writeIndexTip(txn, this.kind.name, parent.hash)
  }

  /** Blocks below `first` are not kept any more; `forget` is called with their transactions. */
  raiseFirst(txn: Transaction, first: number): void {
    const merged = this.readMergedRange(txn)
    if (this.kind.forget && merged && merged.first < first)
      this.writeMergedRange(txn, { first, last: Math.max(merged.last, first - 1) })
  }

  /** Removes what the index has of some transactions of blocks that are not kept any more. */
  forget(txn: Transaction, txs: readonly Tx[], receipts: readonly StoredReceipt[]): void {
    const merged = this.readMergedRange(txn)
    if (merged) this.kind.forget?.(txn, this.kind.pack(txs, receipts), merged.first)
  }

  /** Makes rows of the blocks that wait. One row for many blocks costs a fraction of one for each. */
  readonly mergeWaiting = (txn: Transaction): void => this.merge(txn, [])

  /** The same with further blocks, which come after them. */
  private merge(txn: Transaction, further: readonly PackedBlock[]): void {
    const { first, last } = this.readMergedRange(txn)!
    const waiting = [...this.readWaiting(txn, last + 1)]
    const all = [...waiting, ...further]
    if (all.length === 0) return
    this.kind.add(txn, all)
    for (const { number } of waiting) txn.remove(this.kind.waiting, number)
    this.writeMergedRange(txn, { first, last: all.at(-1)!.number })
  }

  /** Whether the index has blocks from genesis to head. */
  isComplete(reader: Reader): boolean {
    const range = this.readRange(reader)
    return range === undefined || (range.first <= lowestOf(reader) && range.last >= readMark(reader, 'head')!.number)
  }

  /** Adds some of the blocks that are missing, as long as there is time, at least one. */
  addMissing(txn: Transaction, goOn: () => boolean): void {
    const head = readMark(txn, 'head')!.number
    const { first, last } = this.readRange(txn)!
    if (last >= head) {
      this.addSome(txn, first - 1, lowestOf(txn), goOn)
      return
    }
    // Those after the last block come first, because new blocks wait for them.
    this.mergeWaiting(txn)
    this.addSome(txn, last + 1, head, goOn)
    const { last: reached } = this.readMergedRange(txn)!
    writeIndexTip(txn, this.kind.name, canonicalKey(txn, BigInt(reached))!.hash)
  }

  /** Adds blocks from `start` on in steps of 1 or -1: at least one, `end` at last, and no more than there is time for. */
  private addSome(txn: Transaction, start: number, end: number, goOn: () => boolean): void {
    const step = Math.sign(end - start) || 1
    const read: PackedBlock[] = []
    for (let [number, entries] = [start, 0]; ; number += step) {
      const packed = this.readPacked(txn, number)
      read.push({ number, packed })
      entries += this.kind.count(packed)
      if (number === end || entries >= this.kind.maxWaiting.live.entries || !goOn()) break
    }
    if (step < 0) read.reverse()
    this.kind.add(txn, read)
    const { first, last } = this.readMergedRange(txn)!
    this.writeMergedRange(txn, { first: Math.min(first, read[0]!.number), last: Math.max(last, read.at(-1)!.number) })
  }

  /** What the index takes from a stored canonical block. */
  readPacked(reader: Reader, number: number): Uint8Array {
    const key = canonicalKey(reader, BigInt(number))!
    return this.kind.pack(readBody(reader, key)!.transactions, readReceipts(reader, key)!)
  }

  private writeMergedRange(txn: Transaction, range: BlockRange): void {
    txn.put(this.kind.range, rangeKey, range)
  }

  private readCount(reader: Reader, number: number): number | undefined {
    const row = reader.peek(this.kind.waiting, number)
    return row && new DataView(row.buffer, row.byteOffset).getUint32(0)
  }

  /** False if blocks that it has were taken off by a version of Quoin that does not know it. */
  private isOfChain(reader: Reader): boolean {
    const tip = readIndexTip(reader, this.kind.name)
    const known = tip && canonicalKey(reader, BigInt(this.readRange(reader)!.last))
    return !tip || (known !== undefined && equalBytes(known.hash, tip))
  }

  /** Removes some of what is stored; returns whether there may be more. */
  private removeSome(txn: Transaction): boolean {
    let left = removedAtOnce
    const tables: readonly Table<unknown, unknown>[] = [this.kind.waiting as Table<unknown, unknown>, ...this.kind.rows]
    for (const table of tables) {
      const keys = Array.from(txn.range(table, { limit: left }), ([key]) => key)
      for (const key of keys) txn.remove(table, key)
      left -= keys.length
      if (left <= 0) return true
    }
    txn.remove(this.kind.range, rangeKey)
    return false
  }
}
