import type { Reader, Table, Transaction } from '../store/table.ts'
import { type BlockList, blocksAfter, lastBlock } from './blockList.ts'
import type { Space } from './space.ts'

/** Blocks that no longer fit into a row, in a `chunks` table: whether still older ones were moved before, then the list. */
type ChunkTable = Table<Uint8Array, Uint8Array>

// Keys of branches have many lengths: between the chunks of one may lie those of longer keys that begin with it.

export function writeChunk(
  txn: Transaction,
  table: ChunkTable,
  space: Space,
  key: Uint8Array,
  { blocks, hasChunks }: { blocks: BlockList; hasChunks: boolean },
): void {
  const value = new Uint8Array(1 + blocks.length)
  value[0] = hasChunks ? 1 : 0
  value.set(blocks, 1)
  txn.put(table, space.chunk(key, lastBlock(blocks)), value)
}

/** Takes the newest chunk that ends before `block` out of the table. */
export function takeChunk(
  txn: Transaction,
  table: ChunkTable,
  space: Space,
  key: Uint8Array,
  block: number,
): { blocks: BlockList; hasChunks: boolean } | undefined {
  const range = { from: space.chunk(key, block), to: space.chunk(key, 0), reverse: true }
  for (const [stored, value] of txn.range(table, range)) {
    if (stored.length !== range.from.length) continue
    txn.remove(table, stored)
    return { blocks: value.subarray(1), hasChunks: value[0] === 1 }
  }
  return undefined
}

/** The first chunk that has blocks after `block`: those blocks. Empty if only the row itself has some, whose first is `inRow`. */
export function chunkBlocksAfter(
  reader: Reader,
  table: ChunkTable,
  space: Space,
  key: Uint8Array,
  block: number,
  inRow: number,
): number[] {
  // All chunks end before the row begins: without that bound the range has all longer keys, those of the whole trie for its root.
  if (inRow <= block + 1) return []
  const range = { from: space.chunk(key, block + 1), to: space.chunk(key, inRow) }
  for (const [stored, value] of reader.range(table, range))
    if (stored.length === range.from.length) return blocksAfter(value.subarray(1), block)
  return []
}
