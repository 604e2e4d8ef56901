import { compareBytes } from '../primitives/bytes.ts'
import { createRows, type Rows } from './rows.ts'
import type { AnyTable, Range, Reader, Table, Transaction } from './table.ts'

/** Rows that are made beforehand, in any number of turns, and then written as one transaction. */
export interface Draft {
  /** Reads what is stored, with the rows made so far. */
  readonly txn: Transaction
  readonly rows: Rows
  /** Whether every table that was read or written here is still as it was when the draft was begun. */
  isCurrent(): boolean
}

/** Which transactions wrote to which tables. */
export interface TableVersions {
  /** Number of transactions so far. */
  count(): number
  /** The last transaction that wrote to a table; 0 if none did. */
  lastOf(name: string): number
}

/** A draft without rows; `latest` reads what is stored. */
export function createDraft(latest: Reader, versions: TableVersions): Draft {
  const begun = versions.count()
  const rows = createRows()
  const used = new Set<string>()
  const use = ({ name }: AnyTable): void => void used.add(name)

  function peek<K, V>(table: Table<K, V>, key: K): Uint8Array | undefined {
    use(table)
    const value = rows.find(table, table.key.encode(key))
    return value === false ? latest.peek(table, key) : value
  }

  return {
    rows,
    isCurrent() {
      for (const name of used) if (versions.lastOf(name) > begun) return false
      return true
    },
    txn: {
      peek,
      get(table, key) {
        const bytes = peek(table, key)
        return bytes && table.value.decode(bytes)
      },
      range(table, wanted) {
        use(table)
        const keys = rows.keysOf(table)
        return keys.length === 0 ? latest.range(table, wanted) : mergedRange(latest, rows, table, wanted, keys)
      },
      put(table, key, value) {
        use(table)
        rows.put(table, table.key.encode(key), table.value.encode(value), false)
      },
      append(table, key, value) {
        use(table)
        rows.put(table, table.key.encode(key), table.value.encode(value), true)
      },
      remove(table, key) {
        use(table)
        rows.remove(table, table.key.encode(key))
      },
    },
  }
}

/** A range of what is stored, with the rows of a draft in their places. */
function* mergedRange<K, V>(
  latest: Reader,
  rows: Rows,
  table: Table<K, V>,
  { limit = Number.POSITIVE_INFINITY, ...wanted }: Range<K>,
  keys: readonly Uint8Array[],
): Iterable<readonly [K, V]> {
  const sign = wanted.reverse ? -1 : 1
  const edge = (key: K | undefined) => (key === undefined ? undefined : table.key.encode(key).slice())
  const from = edge(wanted.from)
  const to = edge(wanted.to)
  const own = (wanted.reverse ? keys.toReversed() : keys).filter(
    (key) => (!from || sign * compareBytes(key, from) >= 0) && (!to || sign * compareBytes(key, to) < 0),
  )
  let next = 0
  let left = limit

  function* ownBefore(stored: Uint8Array | undefined): Iterable<readonly [K, V]> {
    for (; next < own.length && (!stored || sign * compareBytes(own[next]!, stored) < 0); next++) {
      const value = rows.find(table, own[next]!)
      if (value) yield [table.key.decode(own[next]!), table.value.decode(value.slice())]
    }
  }

  function* all(): Iterable<readonly [K, V]> {
    for (const row of latest.range(table, wanted)) {
      const stored = table.key.encode(row[0])
      yield* ownBefore(stored)
      if (rows.find(table, stored) === false) yield row
    }
    yield* ownBefore(undefined)
  }

  if (left <= 0) return
  for (const row of all()) {
    yield row
    if (--left <= 0) return
  }
}
