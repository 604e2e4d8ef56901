import { compareBytes, equalBytes, type Hash32, keyOf } from '../../primitives/bytes.ts'
import { type LogMark, logIndex, logMarkLength, logPageBlocks } from '../../store/chainTables.ts'
import type { Reader, Transaction } from '../../store/table.ts'
import { entryDigest } from '../../types/entryDigest.ts'
import type { Log } from '../../types/log.ts'
import type { LogConditions, LogQuery } from '../view.ts'

/** An address and four topics. */
const positions = 5

/** Mark of an address (position 0) or of a topic at its position (1–4). */
export function markOf(position: number, entry: Uint8Array): LogMark {
  const mark = entryDigest(entry).slice(0, logMarkLength)
  mark[0] = position
  return mark
}

/** The marks of a block's logs, each once and in order. */
export function marksOf(logs: Iterable<Log>): Iterable<LogMark> {
  const found = Array.from({ length: positions }, () => new Set<string>())
  const marks: LogMark[] = []
  const add = (position: number, entry: Uint8Array) => {
    const known = found[position]!
    const key = keyOf(entry)
    if (known.has(key)) return
    known.add(key)
    marks.push(markOf(position, entry))
  }
  for (const { address, topics } of logs) {
    add(0, address)
    for (let i = 0; i < topics.length; i++) add(i + 1, topics[i]!)
  }
  // Sorted writes are several times faster than random ones.
  return marks.sort(compareBytes)
}

/** The place of a block's bit: the page, the byte in its rows, the bit in that byte. */
function placeOf(number: number): { page: number; at: number; bit: number } {
  return {
    page: Math.floor(number / logPageBlocks),
    at: (number % logPageBlocks) >> 3,
    bit: 1 << (number & 7),
  }
}

/** Sets the bit of one block in the row of each mark. */
export function indexLogs(txn: Transaction, number: number, logs: Iterable<Log>): void {
  const { page, at, bit } = placeOf(number)
  for (const mark of marksOf(logs)) {
    const bits = txn.get(logIndex, { mark, page }) ?? new Uint8Array(logPageBlocks / 8)
    bits[at]! |= bit
    txn.put(logIndex, { mark, page }, bits)
  }
}

/** Clears the bit of one block; rows without bits are removed. */
export function unindexLogs(txn: Transaction, number: number, logs: Iterable<Log>): void {
  const { page, at, bit } = placeOf(number)
  for (const mark of marksOf(logs)) {
    const bits = txn.get(logIndex, { mark, page }) ?? new Uint8Array(logPageBlocks / 8)
    bits[at]! &= ~bit
    if (bits.some((byte) => byte !== 0)) txn.put(logIndex, { mark, page }, bits)
    else txn.remove(logIndex, { mark, page })
  }
}

/** Blocks of one page that have a mark. */
interface Page {
  readonly page: number
  readonly bits: Uint8Array
}

/** Rows that are read at once after a gap: few at first, more if a mark turns out to be common. */
const batch = { first: 4, max: 64 }

/** Finds the first page from a given one on that has the mark; to be called with rising pages. */
type Finder = (page: number) => Page | undefined

function createFinder(reader: Reader, mark: LogMark, lastPage: number): Finder {
  let ahead: Page[] = []
  let at = 0
  let limit = batch.first
  let exhausted = false
  return (page) => {
    while (at < ahead.length && ahead[at]!.page < page) at++
    if (at < ahead.length || exhausted) return ahead[at]
    // A common mark is on nearly every page: one lookup is cheaper than a range.
    const bits = reader.get(logIndex, { mark, page })
    if (bits) return { page, bits }
    const range = reader.range(logIndex, { from: { mark, page: page + 1 }, to: { mark, page: lastPage + 1 }, limit })
    ahead = Array.from(range, ([key, bits]) => ({ page: key.page, bits }))
    at = 0
    exhausted = ahead.length < limit
    limit = Math.min(2 * limit, batch.max)
    return ahead[0]
  }
}

/** Bits of the blocks of a page that fit one condition, or the next page that has any. */
function anyOf(finders: readonly Finder[], page: number): Page | undefined {
  let nearest: Page | undefined
  for (const find of finders) {
    const found = find(page)
    if (!found || (nearest && nearest.page < found.page)) continue
    if (nearest?.page === found.page)
      nearest = { page: found.page, bits: found.bits.map((b, i) => b | nearest!.bits[i]!) }
    else nearest = found
  }
  return nearest
}

/**
 * Blocks from `from` to `to` that may have a log which matches the query, in order. Each condition is an "or" of marks; the
 * conditions are joined by leaping from one's next page to the other's, so that the rarest one sets the pace.
 */
export function* indexedBlocks(reader: Reader, query: LogQuery, from: number, to: number): Iterable<number> {
  const lastPage = Math.floor(to / logPageBlocks)
  const conditions = [query.addresses, ...query.topics]
    .map((any, position) => any.map((one) => createFinder(reader, markOf(position, one), lastPage)))
    .filter((finders) => finders.length > 0)
  let page = Math.floor(from / logPageBlocks)
  while (page <= lastPage) {
    const bits = new Uint8Array(logPageBlocks / 8).fill(0xff)
    let target = page
    for (const finders of conditions) {
      const found = anyOf(finders, page)
      if (!found) return
      target = found.page
      if (target !== page) break
      for (let i = 0; i < bits.length; i++) bits[i]! &= found.bits[i]!
    }
    if (target === page) {
      yield* numbersOf(bits, page, from, to)
      page++
    } else page = target
  }
}

/** The blocks whose bits are set, as far as they are in the range. */
function* numbersOf(bits: Uint8Array, page: number, from: number, to: number): Iterable<number> {
  for (let i = 0; i < logPageBlocks; i++) {
    const number = page * logPageBlocks + i
    if (bits[i >> 3]! & (1 << (i & 7)) && number >= from && number <= to) yield number
  }
}

function oneOf(entry: Uint8Array, wanted: readonly Uint8Array[]): boolean {
  return wanted.length === 0 || wanted.some((candidate) => equalBytes(candidate, entry))
}

/** Whether a log matches: its address, and each position that has conditions. */
export function matchesLog({ address, topics }: Log, query: LogConditions): boolean {
  if (query.topics.length > topics.length) return false
  return oneOf(address, query.addresses) && query.topics.every((wanted, i) => oneOf(topics[i] as Hash32, wanted))
}
