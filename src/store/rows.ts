import { compareBytes } from '../primitives/bytes.ts'
import { bytesCodec } from './codec.ts'
import { allTables } from './schema.ts'
import { type AnyTable, type Table, type Transaction, table } from './table.ts'

/** Every table, as keys and values that are written as they are. */
const rawTables: readonly Table<Uint8Array, Uint8Array>[] = allTables.map(({ name, doc }) =>
  table(name, bytesCodec, bytesCodec, doc),
)
const placeOfTable = new Map(rawTables.map(({ name }, i) => [name, i]))

/** What is done to a row: those that were done over again count no more. */
const kinds = { put: 0, append: 1, remove: 2, outdated: 3 } as const

/** Place of the table (1 byte), kind (1), length of the key (2), length of the value (4), the key, the value. */
const headLength = 8

/** The rows of a transaction, as one piece that can be handed to another thread. */
export interface Rows {
  put(table: AnyTable, key: Uint8Array, value: Uint8Array, append: boolean): void
  remove(table: AnyTable, key: Uint8Array): void
  /** The newest value of a key, valid until the next row; undefined if it was removed, false if it was not touched. */
  find(table: AnyTable, key: Uint8Array): Uint8Array | undefined | false
  /** The keys of a table that were touched, in order. */
  keysOf(table: AnyTable): readonly Uint8Array[]
  /** Names of the tables that have rows. */
  tables(): Iterable<string>
  bytes(): Uint8Array<ArrayBuffer>
}

/** No rows yet. */
export function createRows(): Rows {
  let bytes = new Uint8Array(1 << 18)
  let end = 0
  let count = 0
  /** Where rows begin, plus 1, by the hash of table and key; 0 where there is none. */
  let slots = new Int32Array(1 << 12)
  const touched = new Set<number>()

  const keyLengthAt = (at: number): number => bytes[at + 2]! | (bytes[at + 3]! << 8)

  function valueLengthAt(at: number): number {
    return (bytes[at + 4]! | (bytes[at + 5]! << 8) | (bytes[at + 6]! << 16) | (bytes[at + 7]! << 24)) >>> 0
  }

  function hashOf(place: number, source: Uint8Array, from: number, length: number): number {
    let hash = Math.imul(place + 1, 0x9e3779b1)
    for (let i = 0; i < length; i++) hash = Math.imul(hash ^ source[from + i]!, 0x01000193)
    return hash ^ (hash >>> 15)
  }

  function isAt(at: number, place: number, key: Uint8Array): boolean {
    if (bytes[at] !== place || keyLengthAt(at) !== key.length) return false
    for (let i = 0; i < key.length; i++) if (bytes[at + headLength + i] !== key[i]) return false
    return true
  }

  /** The slot of a key: the one that has it, or a free one. */
  function slotOf(place: number, key: Uint8Array): number {
    const mask = slots.length - 1
    let slot = hashOf(place, key, 0, key.length) & mask
    while (slots[slot] !== 0 && !isAt(slots[slot]! - 1, place, key)) slot = (slot + 1) & mask
    return slot
  }

  function growSlots(): void {
    const old = slots
    slots = new Int32Array(2 * old.length)
    const mask = slots.length - 1
    for (const begin of old) {
      if (begin === 0) continue
      const at = begin - 1
      let slot = hashOf(bytes[at]!, bytes, at + headLength, keyLengthAt(at)) & mask
      while (slots[slot] !== 0) slot = (slot + 1) & mask
      slots[slot] = begin
    }
  }

  function makeRoom(length: number): void {
    if (end + length <= bytes.length) return
    const larger = new Uint8Array(Math.max(2 * bytes.length, end + length))
    larger.set(bytes.subarray(0, end))
    bytes = larger
  }

  function add(table: AnyTable, kind: number, key: Uint8Array, value: Uint8Array | undefined): void {
    const place = placeOfTable.get(table.name)!
    const valueLength = value?.length ?? 0
    makeRoom(headLength + key.length + valueLength)
    if (2 * count >= slots.length) growSlots()
    const slot = slotOf(place, key)
    // The kind is the second byte, and slots count from 1.
    if (slots[slot] !== 0) bytes[slots[slot]!] = kinds.outdated
    else count++
    slots[slot] = end + 1
    touched.add(place)
    bytes[end] = place
    bytes[end + 1] = kind
    bytes[end + 2] = key.length
    bytes[end + 3] = key.length >>> 8
    for (let i = 0; i < 4; i++) bytes[end + 4 + i] = valueLength >>> (8 * i)
    for (let i = 0; i < key.length; i++) bytes[end + headLength + i] = key[i]!
    if (value) bytes.set(value, end + headLength + key.length)
    end += headLength + key.length + valueLength
  }

  return {
    put: (table, key, value, append) => add(table, append ? kinds.append : kinds.put, key, value),
    remove: (table, key) => add(table, kinds.remove, key, undefined),
    find(table, key) {
      const place = placeOfTable.get(table.name)!
      if (!touched.has(place)) return false
      const begin = slots[slotOf(place, key)]!
      if (begin === 0) return false
      const at = begin - 1
      if (bytes[at + 1] === kinds.remove) return undefined
      const from = at + headLength + key.length
      return bytes.subarray(from, from + valueLengthAt(at))
    },
    keysOf(table) {
      const place = placeOfTable.get(table.name)!
      const keys: Uint8Array[] = []
      if (!touched.has(place)) return keys
      for (const row of eachRow(bytes.subarray(0, end))) if (row.place === place) keys.push(row.key.slice())
      return keys.sort(compareBytes)
    },
    *tables() {
      for (const place of touched) yield rawTables[place]!.name
    },
    bytes: () => bytes.subarray(0, end),
  }
}

interface Row {
  readonly place: number
  readonly kind: number
  readonly key: Uint8Array
  readonly value: Uint8Array
}

/** The rows that count, as views. */
function* eachRow(bytes: Uint8Array): Iterable<Row> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  for (let at = 0; at < bytes.length; ) {
    const place = bytes[at]!
    const kind = bytes[at + 1]!
    const keyEnd = at + headLength + view.getUint16(at + 2, true)
    const valueEnd = keyEnd + view.getUint32(at + 4, true)
    if (kind !== kinds.outdated)
      yield { place, kind, key: bytes.subarray(at + headLength, keyEnd), value: bytes.subarray(keyEnd, valueEnd) }
    at = valueEnd
  }
}

/** Writes rows, in the order of their keys: that is several times faster than any other. */
export function applyRows(txn: Transaction, bytes: Uint8Array): void {
  const byTable = new Map<number, Row[]>()
  for (const row of eachRow(bytes)) {
    const rows = byTable.get(row.place)
    if (rows) rows.push(row)
    else byTable.set(row.place, [row])
  }
  for (const [place, rows] of byTable) {
    const into = rawTables[place]!
    const isAppended = rows.every(({ kind }) => kind === kinds.append)
    rows.sort((a, b) => compareBytes(a.key, b.key))
    for (const { kind, key, value } of rows) {
      if (kind === kinds.remove) txn.remove(into, key)
      else if (isAppended) txn.append(into, key, value)
      else txn.put(into, key, value)
    }
  }
}
