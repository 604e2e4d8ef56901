import { keyOf } from '../primitives/bytes.ts'
import { bytesCodec } from './codec.ts'
import type { Layer, TableLayer } from './layer.ts'
import { allTables } from './schema.ts'
import { type Table, type Transaction, table } from './table.ts'

/** Every table, as keys and values that are written as they are. */
const rawTables: readonly Table<Uint8Array, Uint8Array>[] = allTables.map(({ name, doc }) =>
  table(name, bytesCodec, bytesCodec, doc),
)
const placeOfTable = new Map(rawTables.map(({ name }, i) => [name, i]))

const removed = 0xffffffff
const tableHead = 6
const entryHead = 6

function sizeOf({ values }: TableLayer): number {
  let size = tableHead
  for (const [key, value] of values) size += entryHead + key.length + (value?.length ?? 0)
  return size
}

/**
 * A layer as one piece, to be handed to another thread. Per table: its place among all (1 byte), whether it was appended to
 * (1 byte), number of entries (4 bytes); per entry: length of the key (2 bytes), length of the value (4 bytes, all ones where it
 * was removed), the key, the value.
 */
export function packLayer({ tables }: Layer): Uint8Array<ArrayBuffer> {
  let size = 0
  for (const layer of tables.values()) size += sizeOf(layer)
  const out = Buffer.from(new ArrayBuffer(size))
  let at = 0
  for (const [name, { values, appended }] of tables) {
    out[at] = placeOfTable.get(name)!
    out[at + 1] = appended ? 1 : 0
    at = out.writeUInt32LE(values.size, at + 2)
    for (const [key, value] of values) {
      out[at] = key.length
      out[at + 1] = key.length >>> 8
      at = out.writeUInt32LE(value?.length ?? removed, at + 2)
      at += out.write(key, at, 'latin1')
      if (!value) continue
      out.set(value, at)
      at += value.length
    }
  }
  return out
}

/** Applies a packed layer. */
export function applyPacked(txn: Transaction, packed: Uint8Array): void {
  const bytes = Buffer.from(packed.buffer, packed.byteOffset, packed.byteLength)
  for (let at = 0; at < bytes.length; ) {
    const into = rawTables[bytes[at]!]!
    const appended = bytes[at + 1] === 1
    const count = bytes.readUInt32LE(at + 2)
    at += tableHead
    const entries: { key: Uint8Array; value: Uint8Array | undefined; order: string }[] = []
    for (let i = 0; i < count; i++) {
      const keyLength = bytes[at]! | (bytes[at + 1]! << 8)
      const valueLength = bytes.readUInt32LE(at + 2)
      at += entryHead
      const key = packed.subarray(at, at + keyLength)
      at += keyLength
      const value = valueLength === removed ? undefined : packed.subarray(at, at + valueLength)
      at += value?.length ?? 0
      entries.push({ key, value, order: keyOf(key) })
    }
    // Sorted writes are several times faster than random ones.
    entries.sort((a, b) => (a.order < b.order ? -1 : 1))
    for (const { key, value } of entries) {
      if (!value) txn.remove(into, key)
      else if (appended) txn.append(into, key, value)
      else txn.put(into, key, value)
    }
  }
}
