import { emptyBytes, equalBytes, type Hash32, keyOf } from '../primitives/bytes.ts'
import { keccak256 } from '../primitives/keccak.ts'
import { type LogMark, logIndex, logMarkLength } from '../store/chainTables.ts'
import type { Reader, Transaction } from '../store/table.ts'
import type { Log } from '../types/log.ts'
import type { LogQuery } from './view.ts'

/** Mark of an address (position 0) or of a topic at its position (1–4). */
export function markOf(position: number, entry: Uint8Array): LogMark {
  const mark = keccak256(entry).slice(0, logMarkLength)
  mark[0] = position
  return mark
}

/** The marks of a block's logs, each once. */
function marksOf(logs: Iterable<Log>): Iterable<LogMark> {
  const found = new Map<string, LogMark>()
  const add = (position: number, entry: Uint8Array) => {
    const key = `${position}${keyOf(entry)}`
    if (!found.has(key)) found.set(key, markOf(position, entry))
  }
  for (const { address, topics } of logs) {
    add(0, address)
    for (const [i, topic] of topics.entries()) add(i + 1, topic)
  }
  // Sorted writes are several times faster than random ones.
  return [...found.values()].sort(Buffer.compare)
}

export function indexLogs(txn: Transaction, number: number, logs: Iterable<Log>): void {
  for (const mark of marksOf(logs)) txn.put(logIndex, { mark, number }, emptyBytes)
}

export function unindexLogs(txn: Transaction, number: number, logs: Iterable<Log>): void {
  for (const mark of marksOf(logs)) txn.remove(logIndex, { mark, number })
}

/** First block from `number` on that has the mark. */
function next(reader: Reader, mark: LogMark, number: number, end: number): number {
  for (const [key] of reader.range(logIndex, { from: { mark, number }, to: { mark, number: end + 1 }, limit: 1 }))
    return key.number
  return Number.POSITIVE_INFINITY
}

/**
 * Blocks from `from` to `to` that may hold a log which fits the query, in order. Each condition is an "or" of marks; the
 * conditions are joined by leaping from one's next block to the other's, so that the rarest one sets the pace.
 */
export function* candidateBlocks(reader: Reader, query: LogQuery, from: number, to: number): Iterable<number> {
  const conditions = [query.addresses, ...query.topics].map((any, position) => any.map((one) => markOf(position, one)))
  const active = conditions.filter((marks) => marks.length > 0)
  let number = from
  while (number <= to) {
    let found = number
    for (const marks of active) {
      let nearest = Number.POSITIVE_INFINITY
      for (const mark of marks) nearest = Math.min(nearest, next(reader, mark, found, to))
      found = nearest
      if (found > to) return
    }
    if (found === number) {
      yield number
      number++
    } else number = found
  }
}

function oneOf(entry: Uint8Array, wanted: readonly Uint8Array[]): boolean {
  return wanted.length === 0 || wanted.some((candidate) => equalBytes(candidate, entry))
}

/** Whether a log fits: its address, and each position that has conditions. */
export function matchesLog({ address, topics }: Log, query: Pick<LogQuery, 'addresses' | 'topics'>): boolean {
  if (query.topics.length > topics.length) return false
  return oneOf(address, query.addresses) && query.topics.every((wanted, i) => oneOf(topics[i] as Hash32, wanted))
}
