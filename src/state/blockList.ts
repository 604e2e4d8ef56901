import { blockNumberLength, readBlockNumber, writeBlockNumber } from '../store/codec.ts'

/**
 * Ascending block numbers, packed: the distances from each to the next, then the last one in full. A distance is written
 * in groups of seven bits, high ones first, each group but the first marked by bit 7, so that it can be read backwards.
 */
export type BlockList = Uint8Array

/** No list grows beyond this many entries … */
const maxCount = 64
/** … nor beyond this many bytes. */
export const maxBlockListLength = 0x7f

/** The list with one more block, or undefined if it is full. */
export function appendBlock(list: BlockList, block: number): BlockList | undefined {
  if (list.length === 0) return singleBlock(block)
  const last = lastBlock(list)
  if (block <= last) throw new RangeError(`block ${block} does not follow block ${last}`)
  let rest = block - last
  const groups: number[] = []
  do {
    groups.unshift((rest % 0x80) | 0x80)
    rest = Math.floor(rest / 0x80)
  } while (rest > 0)
  groups[0]! &= 0x7f
  if (list.length + groups.length > maxBlockListLength || countBlocks(list) === maxCount) return undefined
  const out = new Uint8Array(list.length + groups.length)
  out.set(list, 0)
  out.set(groups, list.length - blockNumberLength)
  writeBlockNumber(out, out.length - blockNumberLength, block)
  return out
}

/** The list of this block alone. */
export function singleBlock(block: number): BlockList {
  const out = new Uint8Array(blockNumberLength)
  writeBlockNumber(out, 0, block)
  return out
}

/** The list without its last block. */
export function dropLastBlock(list: BlockList): BlockList {
  if (list.length <= blockNumberLength) return list.subarray(0, 0)
  const { value, start } = distanceBefore(list, list.length - blockNumberLength)
  const out = list.slice(0, start + blockNumberLength)
  writeBlockNumber(out, start, lastBlock(list) - value)
  return out
}

/** Number of blocks in the list. */
export function countBlocks(list: BlockList): number {
  if (list.length === 0) return 0
  let count = 1
  for (let i = 0; i < list.length - blockNumberLength; i++) if (list[i]! < 0x80) count++
  return count
}

export function lastBlock(list: BlockList): number {
  return readBlockNumber(list, list.length - blockNumberLength)
}

/** The blocks after `block`, in order. */
export function blocksAfter(list: BlockList, block: number): number[] {
  const found: number[] = []
  if (list.length === 0) return found
  let current = lastBlock(list)
  let at = list.length - blockNumberLength
  while (current > block) {
    found.push(current)
    if (at === 0) break
    const { value, start } = distanceBefore(list, at)
    current -= value
    at = start
  }
  return found.reverse()
}

/** The first block after `block` in the list that fills `bytes[start..end)`, or 0 if there is none. */
export function firstBlockAfter(bytes: Uint8Array, start: number, end: number, block: number): number {
  if (start === end) return 0
  let at = end - blockNumberLength
  let found = readBlockNumber(bytes, at)
  if (found <= block) return 0
  // This is the hot path of reads in the past: no objects are made.
  while (at > start) {
    let value = 0
    let scale = 1
    for (;;) {
      const group = bytes[--at]!
      value += (group & 0x7f) * scale
      if (group < 0x80) break
      scale *= 0x80
    }
    if (found - value <= block) break
    found -= value
  }
  return found
}

function distanceBefore(list: BlockList, end: number): { value: number; start: number } {
  let value = 0
  let scale = 1
  let start = end
  for (;;) {
    const group = list[--start]!
    value += (group & 0x7f) * scale
    if (group < 0x80) return { value, start }
    scale *= 0x80
  }
}
