import type { ChainView, LogConditions, PlacedLog } from '../../chain/view.ts'
import type { Page } from './page.ts'

/** Blocks that are looked into for one page: where an index points to many that have nothing, the next page goes on below. */
const maxBlocks = 2000

interface LogSearch<T> {
  readonly chain: ChainView
  readonly size: number
  readonly conditions: readonly LogConditions[]
  /** The block to begin with; the head, if undefined. */
  readonly from: bigint | undefined
  /** What is wanted of a log, the last first. */
  entriesOf(log: PlacedLog): readonly T[]
  /** Where the list goes on behind an entry. */
  cursorOf(last: T): string
  /** Where it goes on below a block. */
  cursorBelow(block: bigint): string
}

/** The place before all logs of a block: block and log. */
export function blockBelow(block: bigint): readonly bigint[] {
  return [block, 0n]
}

/** A page of what logs say, newest first. */
export function searchLogs<T>(search: LogSearch<T>): Page<T> {
  const { chain, size, conditions, from, entriesOf, cursorOf, cursorBelow } = search
  const block = chain.head.header.number
  const entries: T[] = []
  let seen = 0
  for (const { blockNumber, logs } of chain.latestLogs(conditions, from ?? block)) {
    for (const log of logs)
      for (const entry of entriesOf(log)) {
        if (entries.length === size) return { block, entries, next: cursorOf(entries.at(-1)!) }
        entries.push(entry)
      }
    if (++seen === maxBlocks) return { block, entries, next: cursorBelow(blockNumber) }
  }
  return { block, entries, next: undefined }
}
