import { blockNumberLength, readBlockNumber, writeBlockNumber } from '../store/codec.ts'

/**
 * Ascending block numbers, packed: the distances from each to the next, then the last one in full. A distance is written
 * in groups of seven bits, high ones first, each group but the first marked by bit 7, so that it can be read backwards.
 */
export type BlockList = Uint8Array

/** No list grows beyond this many bytes: over a hundred blocks of a key that changes often. */
const maxLength = 0x7f

/** How many bytes longer the list in `bytes[start..end)` gets by one more block; 0 if it is full. */
export function growthBy(bytes: Uint8Array, start: number, end: number, block: number): number {
  if (start === end) return blockNumberLength
  const last = readBlockNumber(bytes, end - blockNumberLength)
  if (block <= last) throw new RangeError(`block ${block} does not follow block ${last}`)
  let growth = 1
  for (let rest = Math.floor((block - last) / 0x80); rest > 0; rest = Math.floor(rest / 0x80)) growth++
  return end - start + growth > maxLength ? 0 : growth
}

/** Writes the list in `bytes[start..end)` with one more block, by which it grows by `growth`, to `out` at `at`. */
export function writeGrown(
  bytes: Uint8Array,
  start: number,
  end: number,
  block: number,
  growth: number,
  out: Uint8Array,
  at: number,
): void {
  const grownEnd = at + end - start + growth
  writeBlockNumber(out, grownEnd - blockNumberLength, block)
  if (start === end) return
  for (let i = start; i < end - blockNumberLength; i++) out[at + i - start] = bytes[i]!
  let rest = block - readBlockNumber(bytes, end - blockNumberLength)
  for (let n = 1; n <= growth; n++) {
    out[grownEnd - blockNumberLength - n] = (rest % 0x80) | (n < growth ? 0x80 : 0)
    rest = Math.floor(rest / 0x80)
  }
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

/** Number of blocks in the list in `bytes[start..end)`. */
export function countBlocks(bytes: Uint8Array, start: number, end: number): number {
  if (start === end) return 0
  let count = 1
  for (let i = start; i < end - blockNumberLength; i++) if (bytes[i]! < 0x80) count++
  return count
}

export function lastBlock(list: BlockList): number {
  return readBlockNumber(list, list.length - blockNumberLength)
}

/** Whether what was before these blocks was pruned, so that no later pruning comes upon them. */
export function isPruned(list: BlockList, floor: number): boolean {
  return list.length === 0 || lastBlock(list) <= floor
}

/** The first block of a list that is not empty. */
export function firstBlock(list: BlockList): number {
  return firstBlockAfter(list, 0, list.length, 0)
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
