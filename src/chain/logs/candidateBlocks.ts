import type { Reader } from '../../store/table.ts'
import { bloomMayHold } from '../../types/bloom.ts'
import { canonicalKey, peekBloom } from '../records.ts'
import type { LogConditions, LogQuery } from '../view.ts'
import { gapsBetween, segmentBlocks } from './logGaps.ts'
import { indexedBlocks } from './logIndex.ts'

/** Blocks from `from` to `to` that may have a log which matches the query, in order; found by the index, or by blooms where it has gaps. */
export function* candidateBlocks(reader: Reader, query: LogQuery, from: number, to: number): Iterable<number> {
  let next = from
  for (const segment of gapsBetween(reader, from, to)) {
    const first = Math.max(segment * segmentBlocks, from)
    const last = Math.min((segment + 1) * segmentBlocks - 1, to)
    if (next < first) yield* indexedBlocks(reader, query, next, first - 1)
    yield* bloomedBlocks(reader, query, first, last)
    next = last + 1
  }
  if (next <= to) yield* indexedBlocks(reader, query, next, to)
}

/** The same by the blooms of headers. */
export function* bloomedBlocks(reader: Reader, query: LogConditions, from: number, to: number): Iterable<number> {
  for (let number = from; number <= to; number++) {
    const key = canonicalKey(reader, BigInt(number))
    const bloom = key && peekBloom(reader, key)
    if (bloom && mayMatch(bloom, query)) yield number
  }
}

/** False when the bloom filter of a block says that nothing in it fits. */
export function mayMatch(bloom: Uint8Array, { addresses, topics }: LogConditions): boolean {
  const mayHoldOne = (entries: readonly Uint8Array[]) =>
    entries.length === 0 || entries.some((entry) => bloomMayHold(bloom, entry))
  return mayHoldOne(addresses) && topics.every(mayHoldOne)
}
