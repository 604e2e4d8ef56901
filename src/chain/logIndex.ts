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

/** Block numbers that are read at once: few at first, more as a mark turns out to be common. */
const batch = { first: 4, most: 256 }

/** Finds, for numbers that only rise, the first block from that number on that has the mark. */
function createFinder(reader: Reader, mark: LogMark, end: number): (number: number) => number {
  let found: number[] = []
  let at = 0
  let limit = batch.first
  let exhausted = false
  return (number) => {
    while (at < found.length && found[at]! < number) at++
    if (at < found.length) return found[at]!
    if (exhausted) return Number.POSITIVE_INFINITY
    const range = reader.range(logIndex, { from: { mark, number }, to: { mark, number: end + 1 }, limit })
    found = Array.from(range, ([key]) => key.number)
    at = 0
    exhausted = found.length < limit
    limit = Math.min(2 * limit, batch.most)
    return found[0] ?? Number.POSITIVE_INFINITY
  }
}

/**
 * Blocks from `from` to `to` that may hold a log which fits the query, in order. Each condition is an "or" of marks; the
 * conditions are joined by leaping from one's next block to the other's, so that the rarest one sets the pace.
 */
export function* candidateBlocks(reader: Reader, query: LogQuery, from: number, to: number): Iterable<number> {
  const conditions = [query.addresses, ...query.topics].map((any, position) =>
    any.map((one) => createFinder(reader, markOf(position, one), to)),
  )
  const active = conditions.filter((finders) => finders.length > 0)
  let number = from
  while (number <= to) {
    let found = number
    for (const finders of active) {
      let nearest = Number.POSITIVE_INFINITY
      for (const next of finders) nearest = Math.min(nearest, next(found))
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
