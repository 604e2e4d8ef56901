import { emptyBytes } from '../primitives/bytes.ts'
import { cutBytes } from '../primitives/slab.ts'
import { type BlockList, countBlocks, firstBlockAfter, growthBy, singleBlock, writeGrown } from './blockList.ts'

// Why rows know their history: docs/adr/0002-state-storage.md.

/**
 * A row of a `latest` table: value ‖ tag ‖ blocks ‖ length of tag ‖ length of blocks. No value means that the key is
 * absent now but was there earlier. The tag is what the key is the hash of; a state that was taken over from peers does not have
 * it, until a block changes the value. `blocks` are the last ones that changed the value; bit 7 of their length says that older
 * ones were moved to the `chunks` table.
 */
export interface Row {
  readonly value: Uint8Array
  readonly tag: Uint8Array
  readonly blocks: BlockList
  readonly hasChunks: boolean
}

const chunksFlag = 0x80

/** A key that never had a value. */
export function freshRow(tag: Uint8Array): Uint8Array {
  return encodeRow({ value: emptyBytes, tag, blocks: emptyBytes, hasChunks: false })
}

/** The row with another value; its history is as before. */
export function withValue(row: Uint8Array, value: Uint8Array): Uint8Array {
  const { tag, blocks, hasChunks } = decodeRow(row)
  return encodeRow({ value, tag, blocks, hasChunks })
}

/** The row with a tag: those that peers sent have none. */
export function withTag(row: Uint8Array, tag: Uint8Array): Uint8Array {
  return tag.length > 0 && row[row.length - 2] === 0 ? encodeRow({ ...decodeRow(row), tag }) : row
}

/** The row after `block` gave it another value, or undefined if its list of blocks is full. */
export function withChange(row: Uint8Array, value: Uint8Array, block: number): Uint8Array | undefined {
  const end = row.length - 2
  const start = blocksStart(row)
  const growth = growthBy(row, start, end, block)
  if (growth === 0) return undefined
  const tagLength = row[end]!
  const tagEnd = value.length + tagLength
  const out = cutBytes(tagEnd + end - start + growth + 2)
  out.set(value, 0)
  for (let i = 1; i <= tagLength; i++) out[tagEnd - i] = row[start - i]!
  writeGrown(row, start, end, block, growth, out, tagEnd)
  out[out.length - 2] = tagLength
  out[out.length - 1] = row[end + 1]! + growth
  return out
}

/** The same if the list was full and is now in a chunk. */
export function withChangeAfterChunk(row: Uint8Array, value: Uint8Array, block: number): Uint8Array {
  return encodeRow({ value, tag: decodeRow(row).tag, blocks: singleBlock(block), hasChunks: true })
}

function blocksStart(row: Uint8Array): number {
  return row.length - 2 - (row[row.length - 1]! & ~chunksFlag)
}

/** Number of blocks in the row's own list. */
export function blocksInRow(row: Uint8Array): number {
  return countBlocks(row, blocksStart(row), row.length - 2)
}

export function encodeRow({ value, tag, blocks, hasChunks }: Row): Uint8Array {
  const out = cutBytes(value.length + tag.length + blocks.length + 2)
  out.set(value, 0)
  out.set(tag, value.length)
  out.set(blocks, value.length + tag.length)
  out[out.length - 2] = tag.length
  out[out.length - 1] = blocks.length | (hasChunks ? chunksFlag : 0)
  return out
}

/** Undoes `encodeRow`; the parts are views. */
export function decodeRow(row: Uint8Array): Row {
  const last = row[row.length - 1]!
  const blocksAt = row.length - 2 - (last & ~chunksFlag)
  const tagAt = blocksAt - row[row.length - 2]!
  return {
    value: row.subarray(0, tagAt),
    tag: row.subarray(tagAt, blocksAt),
    blocks: row.subarray(blocksAt, row.length - 2),
    hasChunks: (last & chunksFlag) !== 0,
  }
}

/** Length of a row's value, which lies at the row's start; 0 when the key is absent. */
export function valueLength(row: Uint8Array): number {
  return blocksStart(row) - row[row.length - 2]!
}

/** The first block after `block` among those in the row itself, 0 if there is none. */
export function firstChangeInRow(row: Uint8Array, block: number): number {
  return firstBlockAfter(row, blocksStart(row), row.length - 2, block)
}

export function rowHasChunks(row: Uint8Array): boolean {
  return (row[row.length - 1]! & chunksFlag) !== 0
}
