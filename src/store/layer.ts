import { keyOf } from '../primitives/bytes.ts'
import { type LayerMemory, sharedBytes, sharedWords, type TableMemory } from './layerMemory.ts'
import type { AnyTable } from './table.ts'

/** What a transaction did to one table. */
export interface TableLayer {
  /** Whether every key was put behind all others of the table. */
  readonly appended: boolean
  /** The value of a key: undefined where it was removed, false where nothing was done to it. `hash` is `hashOfKey`. */
  find(key: Uint8Array, hash: number): Uint8Array | undefined | false
  /** The keys as text (`keyOf`), in their order. */
  keys(): readonly string[]
  /** Where the changes lie now. */
  memory(): TableMemory
  /** How many bytes of it are entries. */
  used(): number
}

/** The changes of one transaction, by the names of its tables: they cover the store until they are on disk. */
export interface Layer {
  readonly tables: ReadonlyMap<string, TableLayer>
  put(table: AnyTable, key: Uint8Array, value: Uint8Array, append: boolean): void
  remove(table: AnyTable, key: Uint8Array): void
  /** Gives its memory back: to be called when nobody reads it any more. */
  end(): void
}

/** A layer without changes. */
export function createLayer(memory: LayerMemory): Layer {
  const tables = new Map<string, ReturnType<typeof createTableLayer>>()

  function tableOf({ name }: AnyTable) {
    let found = tables.get(name)
    if (!found) tables.set(name, (found = createTableLayer(memory.take(name))))
    return found
  }

  return {
    tables,
    put: (table, key, value, append) => tableOf(table).set(key, value, append),
    remove: (table, key) => tableOf(table).set(key, undefined, false),
    end() {
      for (const [name, table] of tables) memory.giveBack(name, table.memory())
      tables.clear()
    },
  }
}

/** Keys are mostly hashes, or differ at their ends: those are enough. */
const hashedBytes = 16

export function hashOfKey(key: Uint8Array): number {
  let hash = key.length
  for (let i = Math.max(0, key.length - hashedBytes); i < key.length; i++) hash = Math.imul(hash ^ key[i]!, 0x01000193)
  return (hash ^ (hash >>> 15)) >>> 0
}

// An entry: length of the key (2 bytes), length of the value (4 bytes, all ones where it was removed), the key, the value.
const headLength = 6
const removed = 0xffffffff

/** The key of the entry that begins at `at`, as a view. */
export function keyAt(bytes: Uint8Array, at: number): Uint8Array {
  return bytes.subarray(at + headLength, at + headLength + keyLengthAt(bytes, at))
}

/** Its value, as a view; undefined if the key was removed. */
export function valueAt(bytes: Uint8Array, at: number): Uint8Array | undefined {
  const length = valueLengthAt(bytes, at)
  if (length === removed) return undefined
  const start = at + headLength + keyLengthAt(bytes, at)
  return bytes.subarray(start, start + length)
}

function keyLengthAt(bytes: Uint8Array, at: number): number {
  return bytes[at]! | (bytes[at + 1]! << 8)
}

function valueLengthAt(bytes: Uint8Array, at: number): number {
  return (bytes[at + 2]! | (bytes[at + 3]! << 8) | (bytes[at + 4]! << 16) | (bytes[at + 5]! << 24)) >>> 0
}

/** Entries behind one another in one piece of memory, and an open-addressed table of where they begin. */
class MemoryTable {
  private bytes: TableMemory['bytes']
  private index: TableMemory['index']
  private usedBytes = 0
  private entryCount = 0
  private ordered: string[] = []
  /** Where the entries of keys begin that came after `ordered` was computed: there are many, and they are sorted at once. */
  private fresh: number[] = []
  appended = true

  constructor(memory: TableMemory) {
    this.bytes = memory.bytes
    this.index = memory.index
  }

  private makeRoom(length: number): void {
    if (this.usedBytes + length <= this.bytes.length) return
    const larger = sharedBytes(Math.max(2 * this.bytes.length, this.usedBytes + length))
    larger.set(this.bytes.subarray(0, this.usedBytes), 0)
    this.bytes = larger
  }

  private isKeyAt(at: number, key: Uint8Array): boolean {
    if (keyLengthAt(this.bytes, at) !== key.length) return false
    for (let i = key.length - 1; i >= 0; i--) if (this.bytes[at + headLength + i] !== key[i]) return false
    return true
  }

  /** The place of a key in the index, or the free one where it belongs. */
  private placeOf(key: Uint8Array, hash: number): number {
    let place = hash & (this.index.length - 1)
    for (let start = this.index[place]!; start !== 0 && !this.isKeyAt(start - 1, key); start = this.index[place]!)
      place = (place + 1) & (this.index.length - 1)
    return place
  }

  private growIndex(): void {
    const starts = this.index.filter((start) => start !== 0)
    this.index = sharedWords(2 * this.index.length)
    for (const start of starts) {
      const key = keyAt(this.bytes, start - 1)
      this.index[this.placeOf(key, hashOfKey(key))] = start
    }
  }

  private write(key: Uint8Array, value: Uint8Array | undefined): number {
    const at = this.usedBytes
    this.makeRoom(headLength + key.length + (value?.length ?? 0))
    const length = value?.length ?? removed
    this.bytes[at] = key.length
    this.bytes[at + 1] = key.length >>> 8
    for (let i = 0; i < 4; i++) this.bytes[at + 2 + i] = length >>> (8 * i)
    this.bytes.set(key, at + headLength)
    if (value) this.bytes.set(value, at + headLength + key.length)
    this.usedBytes = at + headLength + key.length + (value?.length ?? 0)
    return at
  }

  readonly set = (key: Uint8Array, value: Uint8Array | undefined, append: boolean): void => {
    if (4 * this.entryCount > 3 * this.index.length) this.growIndex()
    const place = this.placeOf(key, hashOfKey(key))
    const at = this.write(key, value)
    if (this.index[place] === 0) {
      this.entryCount++
      this.fresh.push(at)
    }
    this.index[place] = at + 1
    if (!append) this.appended = false
  }

  readonly find = (key: Uint8Array, hash: number): Uint8Array | undefined | false => {
    const start = this.index[this.placeOf(key, hash)]!
    return start !== 0 && valueAt(this.bytes, start - 1)
  }

  readonly keys = (): readonly string[] => {
    if (this.fresh.length > 0) {
      this.ordered = merge(this.ordered, this.fresh.map((at) => keyOf(keyAt(this.bytes, at))).sort())
      this.fresh = []
    }
    return this.ordered
  }

  readonly memory = () => ({ bytes: this.bytes, index: this.index })

  readonly used = () => this.usedBytes
}

/**
 * A table in two pieces of memory, its entries and an index of them: an object for each entry would be moved and traced
 * by the garbage collector several times before its transaction is on disk.
 */
function createTableLayer(memory: TableMemory) {
  return new MemoryTable(memory)
}

function merge(a: readonly string[], b: string[]): string[] {
  if (a.length === 0) return b
  const out: string[] = []
  let i = 0
  for (const key of b) {
    while (i < a.length && a[i]! < key) out.push(a[i++]!)
    out.push(key)
  }
  while (i < a.length) out.push(a[i++]!)
  return out
}
