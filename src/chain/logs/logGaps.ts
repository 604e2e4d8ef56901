import { logGaps } from '../../store/chainTables.ts'
import type { Reader, Transaction } from '../../store/table.ts'

/** Blocks of a segment: the unit in which the log index is managed, as Besu's cache files are. */
export const segmentBlocks = 100_000

/** The segment of a block. */
export function segmentOf(number: number): number {
  return Math.floor(number / segmentBlocks)
}

const present = Uint8Array.of(1)

/** Marks the segment of a block as not fully indexed: its logs are then found by blooms. */
export function addGap(txn: Transaction, number: number): void {
  const segment = segmentOf(number)
  if (txn.peek(logGaps, segment) === undefined) txn.put(logGaps, segment, present)
}

/** Marks a segment as fully indexed. */
export function removeGap(txn: Transaction, segment: number): void {
  txn.remove(logGaps, segment)
}

/** Segments from that of `from` to that of `to` that are not fully indexed, in order. */
export function gapsBetween(reader: Reader, from: number, to: number): number[] {
  const [first, last] = [segmentOf(from), segmentOf(to)]
  // Most queries stay within one.
  if (first === last) return reader.peek(logGaps, first) === undefined ? [] : [first]
  return Array.from(reader.range(logGaps, { from: first, to: last + 1 }), ([segment]) => segment)
}
