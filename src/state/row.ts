import { cutBytes } from '../trie/slab.ts'
import { type BlockList, firstBlockAfter } from './blockList.ts'

/**
 * A row of a `latest` table: value ‖ tag ‖ blocks ‖ length of tag ‖ length of blocks. No value means that the key is
 * absent now but was there earlier. The tag never changes: it is what the key is the hash of. `blocks` are the last ones
 * that changed the value; bit 7 of their length says that older ones were moved to the `chunks` table.
 */
export interface Row {
  readonly value: Uint8Array
  readonly tag: Uint8Array
  readonly blocks: BlockList
  readonly hasChunks: boolean
}

const chunksFlag = 0x80

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
  return row.length - 2 - (row[row.length - 1]! & ~chunksFlag) - row[row.length - 2]!
}

/** The first block after `block` among those in the row itself, 0 if there is none. */
export function firstChangeInRow(row: Uint8Array, block: number): number {
  const end = row.length - 2
  return firstBlockAfter(row, end - (row[row.length - 1]! & ~chunksFlag), end, block)
}

export function rowHasChunks(row: Uint8Array): boolean {
  return (row[row.length - 1]! & chunksFlag) !== 0
}
