import { keyOf } from '../primitives/bytes.ts'
import { bytesCodec } from './codec.ts'
import { keyAt, type Layer, valueAt } from './layer.ts'
import { allTables } from './schema.ts'
import { type Table, type Transaction, table } from './table.ts'

/** A table of a layer, to be handed to another thread. */
export interface PackedTable {
  readonly name: string
  readonly appended: boolean
  readonly bytes: Uint8Array<ArrayBuffer>
  /** Where the entries begin. */
  readonly starts: Uint32Array<ArrayBuffer>
}

export type PackedLayer = readonly PackedTable[]

/** Every table, as keys and values that are written as they are. */
const rawTables = new Map<string, Table<Uint8Array, Uint8Array>>(
  allTables.map(({ name, doc }) => [name, table(name, bytesCodec, bytesCodec, doc)]),
)

export function packLayer({ tables }: Layer): PackedLayer {
  return [...tables].map(([name, layer]) => ({ name, appended: layer.appended, ...layer.entries() }))
}

/** The memory that is handed over with a layer. */
export function memoryOf(packed: PackedLayer): ArrayBuffer[] {
  return packed.flatMap(({ bytes, starts }) => [bytes.buffer, starts.buffer])
}

/** Applies a packed layer. */
export function applyPacked(txn: Transaction, packed: PackedLayer): void {
  for (const { name, appended, bytes, starts } of packed) {
    const into = rawTables.get(name)!
    // Sorted writes are several times faster than random ones.
    const entries = Array.from(starts, (at) => ({ at, order: keyOf(keyAt(bytes, at)) }))
    entries.sort((a, b) => (a.order < b.order ? -1 : 1))
    for (const { at } of entries) {
      const key = keyAt(bytes, at)
      const value = valueAt(bytes, at)
      if (!value) txn.remove(into, key)
      else if (appended) txn.append(into, key, value)
      else txn.put(into, key, value)
    }
  }
}
