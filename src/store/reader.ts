import { type LmdbTable, type LmdbTxn, peekTable } from './lmdb.ts'
import type { AnyTable, Range, Reader, Table } from './table.ts'

/** A reader over LMDB tables, in a read transaction or (without one) in the write transaction that is open. */
export function createReader(tableOf: (table: AnyTable) => LmdbTable, transaction: LmdbTxn | undefined): Reader {
  const options = transaction && { transaction }

  function peek<K, V>(table: Table<K, V>, key: K): Uint8Array | undefined {
    return peekTable(tableOf(table), table.key.encode(key), options)
  }

  return {
    peek,
    get(table, key) {
      const bytes = peek(table, key)
      return bytes && table.value.decode(bytes)
    },
    *range<K, V>(table: Table<K, V>, { from, to, reverse, limit }: Range<K>) {
      const rows = tableOf(table).getRange({
        ...(from !== undefined && { start: table.key.encode(from) }),
        ...(to !== undefined && { end: table.key.encode(to) }),
        ...(reverse && { reverse }),
        ...(limit !== undefined && { limit }),
        ...options,
      })
      for (const { key, value } of rows) {
        // Both are copies already, but in a Buffer, whose `slice` is a view.
        yield [table.key.decode(plain(key)), table.value.decode(plain(value))] as const
      }
    },
  }
}

function plain(bytes: Uint8Array): Uint8Array {
  return new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}
