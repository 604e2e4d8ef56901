import { logGaps } from '../../store/chainTables.ts'
import type { Reader, Transaction } from '../../store/table.ts'

/** Blocks that the log index is managed by, as Besu's cache files are. */
export const segmentBlocks = 100_000

export function segmentOf(number: number): number {
  return Math.floor(number / segmentBlocks)
}

const present = Uint8Array.of(1)

/** Says that the index does not have the whole segment of a block: its logs are then found without it. */
export function addGap(txn: Transaction, number: number): void {
  const segment = segmentOf(number)
  if (txn.peek(logGaps, segment) === undefined) txn.put(logGaps, segment, present)
}

/** Says that the index has a whole segment. */
export function removeGap(txn: Transaction, segment: number): void {
  txn.remove(logGaps, segment)
}

/** Segments between those of two blocks, both included, that the index does not have, in order. */
export function gapsBetween(reader: Reader, from: number, to: number): number[] {
  const [first, last] = [segmentOf(from), segmentOf(to)]
  // Most queries stay within one.
  if (first === last) return reader.peek(logGaps, first) === undefined ? [] : [first]
  return Array.from(reader.range(logGaps, { from: first, to: last + 1 }), ([segment]) => segment)
}
