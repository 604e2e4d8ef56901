import { keyOf } from '../primitives/bytes.ts'
import { bytesCodec } from './codec.ts'
import { keyAt, type Layer, valueAt } from './layer.ts'
import type { TableMemory } from './layerMemory.ts'
import { allTables } from './schema.ts'
import { type Table, type Transaction, table } from './table.ts'

/** A table of a layer, for another thread: its memory, which must not change until that thread has written it. */
export interface PackedTable extends TableMemory {
  readonly name: string
  readonly appended: boolean
}

export type PackedLayer = readonly PackedTable[]

/** Every table, as keys and values that are written as they are. */
const rawTables = new Map<string, Table<Uint8Array, Uint8Array>>(
  allTables.map(({ name, doc }) => [name, table(name, bytesCodec, bytesCodec, doc)]),
)

export function packLayer({ tables }: Layer): PackedLayer {
  return [...tables].map(([name, { appended, memory, used }]) => {
    const { bytes, index } = memory()
    return { name, appended, bytes: bytes.subarray(0, used()), index }
  })
}

/** Where the entries of the table lie that is being applied: from memory that threads share, LMDB stores other bytes. */
let own = new Uint8Array(1 << 20)

function ownCopy(shared: Uint8Array): Uint8Array {
  if (shared.length > own.length) own = new Uint8Array(2 * shared.length)
  own.set(shared, 0)
  return own
}

/** Applies a packed layer. */
export function applyPacked(txn: Transaction, packed: PackedLayer): void {
  for (const { name, appended, bytes: shared, index } of packed) {
    const into = rawTables.get(name)!
    const bytes = ownCopy(shared)
    const starts = startsIn(index)
    for (const at of appended ? starts : byKey(bytes, starts)) {
      const key = keyAt(bytes, at)
      const value = valueAt(bytes, at)
      if (!value) txn.remove(into, key)
      else if (appended) txn.append(into, key, value)
      else txn.put(into, key, value)
    }
  }
}

/** Where the entries begin, in the order in which they were written: that of the keys where each was put behind the others. */
function startsIn(index: Uint32Array): Uint32Array {
  return index
    .filter((start) => start !== 0)
    .sort()
    .map((start) => start - 1)
}

/** The same in the order of the keys: sorted writes are several times faster than random ones. */
function byKey(bytes: Uint8Array, starts: Uint32Array): number[] {
  const entries = Array.from(starts, (at) => ({ at, order: keyOf(keyAt(bytes, at)) }))
  // Blocks write their keys in order: few runs are to be merged.
  entries.sort((a, b) => (a.order < b.order ? -1 : 1))
  return entries.map(({ at }) => at)
}
