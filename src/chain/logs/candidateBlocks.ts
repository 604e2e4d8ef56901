import type { Reader } from '../../store/table.ts'
import { bloomMayHold } from '../../types/bloom.ts'
import { canonicalKey, readHeader } from '../records.ts'
import type { LogQuery } from '../view.ts'
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
function* bloomedBlocks(reader: Reader, query: LogQuery, from: number, to: number): Iterable<number> {
  const conditions = [query.addresses, ...query.topics].filter((any) => any.length > 0)
  for (let number = from; number <= to; number++) {
    const key = canonicalKey(reader, BigInt(number))
    const bloom = key && readHeader(reader, key)?.header.logsBloom
    if (bloom && conditions.every((any) => any.some((one) => bloomMayHold(bloom, one)))) yield number
  }
}
