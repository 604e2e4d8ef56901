import { emptyBytes } from '../primitives/bytes.ts'
import { cutBytes, cutCopy } from '../primitives/slab.ts'
import type { Reader, Table, Transaction } from '../store/table.ts'
import { dropLastBlock, isPruned, lastBlock } from './blockList.ts'
import { chunkBlocksAfter, takeChunk, writeChunk } from './chunks.ts'
import {
  decodeRow,
  encodeRow,
  firstChangeInRow,
  freshRow,
  rowHasChunks,
  valueLength,
  withChange,
  withChangeAfterChunk,
  withTag,
  withValue,
} from './row.ts'
import type { Space } from './space.ts'

/** A block, or the newest state. */
export type BlockChoice = number | 'latest'

/** A key's value at some block, with its row if that block is the latest. */
export interface Cell {
  readonly value: Uint8Array | undefined
  readonly row: Uint8Array | undefined
}

/** A key's next value (undefined removes it), with the cell that it had. */
export interface FlatChange {
  readonly key: Uint8Array
  readonly tag: Uint8Array
  readonly before: Cell
  readonly value: Uint8Array | undefined
}

interface FlatTables {
  readonly latest: Table<Uint8Array, Uint8Array>
  readonly history: Table<Uint8Array, Uint8Array>
  readonly chunks: Table<Uint8Array, Uint8Array>
}

/** Accounts or slots: each key has a value now and one before every block that changed it. */
export interface Flat {
  /** The value's bytes, valid until the next read. */
  peek(reader: Reader, key: Uint8Array, at: BlockChoice): Uint8Array | undefined
  cell(reader: Reader, key: Uint8Array, at: BlockChoice): Cell
  /** Keys that have a value, in order, from `from` up to `to`. */
  range(reader: Reader, from: Uint8Array, to: Uint8Array | undefined, at: BlockChoice): Iterable<FlatEntry>
  write(txn: Transaction, block: number, changes: readonly FlatChange[]): void
  /** Undoes a block; `floor` is the last one whose changes were pruned. */
  unwind(txn: Transaction, block: number, floor: number): void
  prune(txn: Transaction, block: number): void
}

export interface FlatEntry {
  readonly key: Uint8Array
  readonly tag: Uint8Array
  readonly cell: { readonly value: Uint8Array; readonly row: Uint8Array | undefined }
}

/** A `history` row is one byte of flags, then the value before the block. */
const flushedFlag = 1

const pruneBatch = 1000

/** Accounts and slots of the state on disk by address, beside the trie. */
class FlatState implements Flat {
  private readonly space: Space
  private readonly options: FlatTables

  constructor(space: Space, options: FlatTables) {
    this.space = space
    this.options = options
  }

  /** The block whose history row has the value as of `at`, or 0 if the latest row has it. */
  private changeAfter(reader: Reader, row: Uint8Array, key: Uint8Array, at: number): number {
    const inRow = firstChangeInRow(row, at)
    // Blocks before the row's are in chunks; only a lookup shows whether they reach beyond `at`.
    if (inRow === 0 || !rowHasChunks(row) || firstChangeInRow(row, 0) !== inRow) return inRow
    return chunkBlocksAfter(reader, this.options.chunks, this.space, key, at, inRow)[0] ?? inRow
  }

  readonly peek = (reader: Reader, key: Uint8Array, at: BlockChoice): Uint8Array | undefined => {
    const row = reader.peek(this.options.latest, this.space.key(key))
    if (row === undefined) return undefined
    const change = at === 'latest' ? 0 : this.changeAfter(reader, row, key, at)
    if (change === 0) {
      const length = valueLength(row)
      return length === 0 ? undefined : row.subarray(0, length)
    }
    const past = reader.peek(this.options.history, this.space.atBlock(change, key))
    if (past === undefined) throw new Error(`the database is damaged: history of block ${change} is incomplete`)
    return past.length === 1 ? undefined : past.subarray(1)
  }

  private cellOf(reader: Reader, key: Uint8Array, row: Uint8Array | undefined, at: BlockChoice): Cell {
    if (at === 'latest') {
      const length = row === undefined ? 0 : valueLength(row)
      return { value: length === 0 ? undefined : row!.subarray(0, length), row }
    }
    return { value: this.peek(reader, key, at)?.slice(), row: undefined }
  }

  private writeOne(txn: Transaction, block: number, { key, tag, before, value }: FlatChange): void {
    const row = before.row ? withTag(before.row, tag) : freshRow(tag)
    const stored = this.space.key(key)
    // The genesis block has no history: the state before it was empty.
    if (block === 0) {
      txn.put(this.options.latest, stored, withValue(row, value ?? emptyBytes))
      return
    }
    const changed = withChange(row, value ?? emptyBytes, block)
    if (changed === undefined) writeChunk(txn, this.options.chunks, this.space, key, decodeRow(row))
    txn.put(this.options.latest, stored, changed ?? withChangeAfterChunk(row, value ?? emptyBytes, block))
    const length = valueLength(row)
    const past = cutBytes(1 + length)
    past[0] = changed === undefined ? flushedFlag : 0
    for (let i = 0; i < length; i++) past[1 + i] = row[i]!
    this.space.append(txn, this.options.history, this.space.atBlock(block, key), past)
  }

  private restore(txn: Transaction, block: number, floor: number, key: Uint8Array, past: Uint8Array): void {
    const stored = this.space.key(key)
    const row = decodeRow(txn.get(this.options.latest, stored)!)
    const value = past.subarray(1)
    const older = past[0]! & flushedFlag ? takeChunk(txn, this.options.chunks, this.space, key, block) : undefined
    const blocks = older?.blocks ?? dropLastBlock(row.blocks)
    const hasChunks = older?.hasChunks ?? row.hasChunks
    if (value.length === 0 && isPruned(blocks, floor)) txn.remove(this.options.latest, stored)
    else txn.put(this.options.latest, stored, encodeRow({ value, tag: row.tag, blocks, hasChunks }))
  }

  private forget(txn: Transaction, block: number, key: Uint8Array, past: Uint8Array): void {
    if (past[0]! & flushedFlag) takeChunk(txn, this.options.chunks, this.space, key, block)
    const stored = this.space.key(key)
    const row = txn.peek(this.options.latest, stored)
    if (row === undefined || valueLength(row) > 0) return
    if (lastBlock(decodeRow(row).blocks) <= block) txn.remove(this.options.latest, stored)
  }

  /** Calls `action` with every history row from block `from` up to `to`, and removes the row. */
  private consume(
    txn: Transaction,
    from: number,
    to: number,
    action: (stored: Uint8Array, past: Uint8Array) => void,
  ): void {
    const range = { from: this.space.atBlock(from), to: this.space.atBlock(to), limit: pruneBatch }
    for (;;) {
      const rows = [...txn.range(this.options.history, range)]
      for (const [stored, past] of rows) {
        action(stored, past)
        txn.remove(this.options.history, stored)
      }
      if (rows.length < pruneBatch) return
    }
  }

  readonly cell: Flat['cell'] = (reader, key, at) => {
    if (at !== 'latest') return this.cellOf(reader, key, undefined, at)
    const row = reader.peek(this.options.latest, this.space.key(key))
    return this.cellOf(reader, key, row && cutCopy(row), at)
  };

  *range(reader: Reader, from: Uint8Array, to: Uint8Array | undefined, at: BlockChoice): ReturnType<Flat['range']> {
    const end = to === undefined ? this.space.end : this.space.key(to)
    for (const [stored, row] of reader.range(this.options.latest, {
      from: this.space.key(from),
      ...(end && { to: end }),
    })) {
      const key = this.space.unkey(stored)
      const cell = this.cellOf(reader, key, row, at)
      if (cell.value !== undefined) yield { key, tag: decodeRow(row).tag, cell: { value: cell.value, row: cell.row } }
    }
  }

  readonly write: Flat['write'] = (txn, block, changes) => {
    for (const change of changes) this.writeOne(txn, block, change)
  }

  readonly unwind: Flat['unwind'] = (txn, block, floor) =>
    this.consume(txn, block, block + 1, (stored, past) =>
      this.restore(txn, block, floor, this.space.unblock(stored), past),
    )

  readonly prune: Flat['prune'] = (txn, block) =>
    this.consume(txn, 0, block + 1, (stored, past) =>
      this.forget(txn, this.space.blockIn(stored), this.space.unblock(stored), past),
    )
}

/** The temporal tables of one kind of key. */
export function createFlat(space: Space, options: FlatTables): Flat {
  return new FlatState(space, options)
}
