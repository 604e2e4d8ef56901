import { keyOf } from '../primitives/bytes.ts'
import type { AnyTable } from './table.ts'

/** What a transaction did to one table. */
export interface TableLayer {
  /** By `keyOf` the key; undefined where it was removed. */
  readonly values: ReadonlyMap<string, Uint8Array | undefined>
  /** Whether every key was put behind all others of the table. */
  readonly appended: boolean
  /** The keys in their order. */
  keys(): readonly string[]
}

/** The changes of one transaction, by the names of its tables: they cover the store until they are on disk. */
export interface Layer {
  readonly tables: ReadonlyMap<string, TableLayer>
  put(table: AnyTable, key: Uint8Array, value: Uint8Array, append: boolean): void
  remove(table: AnyTable, key: Uint8Array): void
}

const slabBytes = 1 << 20

export function createLayer(): Layer {
  const tables = new Map<string, ReturnType<typeof createTableLayer>>()
  let slab = new Uint8Array(slabBytes)
  let used = 0

  function copyOf(value: Uint8Array): Uint8Array {
    if (value.length > slabBytes >> 4) return value.slice()
    if (used + value.length > slabBytes) {
      slab = new Uint8Array(slabBytes)
      used = 0
    }
    const copy = slab.subarray(used, used + value.length)
    copy.set(value)
    used += value.length
    return copy
  }

  function tableOf({ name }: AnyTable) {
    let found = tables.get(name)
    if (!found) tables.set(name, (found = createTableLayer()))
    return found
  }

  return {
    tables,
    put: (table, key, value, append) => tableOf(table).set(keyOf(key), copyOf(value), append),
    remove: (table, key) => tableOf(table).set(keyOf(key), undefined, false),
  }
}

function createTableLayer() {
  const values = new Map<string, Uint8Array | undefined>()
  let ordered: string[] = []
  /** Keys that came after `ordered` was computed: they come in large numbers, and are sorted at once. */
  let fresh: string[] = []

  const layer = {
    values,
    appended: true,
    set(key: string, value: Uint8Array | undefined, append: boolean): void {
      const before = values.size
      values.set(key, value)
      if (values.size > before) fresh.push(key)
      if (!append) layer.appended = false
    },
    keys(): readonly string[] {
      if (fresh.length > 0) {
        ordered = merge(ordered, fresh.sort())
        fresh = []
      }
      return ordered
    },
  }
  return layer
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
