import { bytesOfKey, keyOf } from '../primitives/bytes.ts'
import { hashOfKey, type Layer, type TableLayer } from './layer.ts'
import type { Range, Reader, Table } from './table.ts'

/** The transactions that are not on disk yet, oldest first, and the disk. */
export interface Layers {
  readonly layers: readonly Layer[]
  readonly disk: Reader
}

/** Reads from the newest layer that has a key, or from the disk. */
export function createLayeredReader(now: () => Layers): Reader {
  /** The newest change of a key: its value, undefined if it was removed, false if no layer has it. */
  function find(layers: readonly Layer[], name: string, key: Uint8Array): Uint8Array | undefined | false {
    const hash = hashOfKey(key)
    for (let i = layers.length - 1; i >= 0; i--) {
      const table = layers[i]!.tables.get(name)
      if (!table) continue
      const value = table.find(key, hash)
      if (value !== false) return value
    }
    return false
  }

  function peek<K, V>(table: Table<K, V>, key: K): Uint8Array | undefined {
    const { layers, disk } = now()
    const value = find(layers, table.name, table.key.encode(key))
    return value === false ? disk.peek(table, key) : value
  }

  function* range<K, V>(table: Table<K, V>, wanted: Range<K>): Iterable<readonly [K, V]> {
    const { layers, disk } = now()
    const keys = changedKeys(layers, table, wanted)
    if (keys.length === 0) {
      yield* disk.range(table, wanted)
      return
    }
    const { limit, ...unlimited } = wanted
    const isBefore = wanted.reverse ? (a: string, b: string) => a > b : (a: string, b: string) => a < b
    let left = limit ?? Number.POSITIVE_INFINITY
    let next = 0

    /** The entries of the layers before a stored key, or all that are left. */
    function* changedBefore(stored: string | undefined): Iterable<readonly [K, V]> {
      for (; next < keys.length && (stored === undefined || isBefore(keys[next]!, stored)); next++) {
        const key = bytesOfKey(keys[next]!)
        const value = find(layers, table.name, key)
        if (value) yield [table.key.decode(key), table.value.decode(value)]
      }
    }

    function* merged(): Iterable<readonly [K, V]> {
      for (const row of disk.range(table, unlimited)) {
        const stored = keyOf(table.key.encode(row[0]))
        yield* changedBefore(stored)
        // A key that the layers know comes from them.
        if (keys[next] !== stored) yield row
      }
      yield* changedBefore(undefined)
    }

    if (left <= 0) return
    for (const row of merged()) {
      yield row
      if (--left === 0) return
    }
  }

  return {
    peek,
    get(table, key) {
      const bytes = peek(table, key)
      return bytes && table.value.decode(bytes)
    },
    range,
  }
}

/** The keys in a range that the layers know, in the order of the range. */
function changedKeys<K>(layers: readonly Layer[], table: Table<K, unknown>, wanted: Range<K>): readonly string[] {
  const edge = (key: K | undefined) => (key === undefined ? undefined : keyOf(table.key.encode(key)))
  const from = edge(wanted.from)
  const to = edge(wanted.to)
  const parts: string[][] = []
  for (const { tables } of layers) {
    const changed = tables.get(table.name)
    const keys = changed && keysIn(changed, from, to, wanted.reverse ?? false)
    if (keys && keys.length > 0) parts.push(keys)
  }
  if (parts.length === 0) return []
  const all = parts.length === 1 ? parts[0]! : [...new Set(parts.flat())].sort()
  return wanted.reverse ? all.reverse() : all
}

/** A copy of the part of a layer's keys that lies in a range. */
function keysIn(layer: TableLayer, from: string | undefined, to: string | undefined, reverse: boolean): string[] {
  const keys = layer.keys()
  // `from` belongs to the range, `to` does not.
  const [low, high] = reverse ? [to, from] : [from, to]
  return keys.slice(placeOf(keys, low, reverse) ?? 0, placeOf(keys, high, reverse))
}

/** How many keys lie before `edge`, itself counted if `inclusive`; undefined without an edge. */
function placeOf(keys: readonly string[], edge: string | undefined, inclusive: boolean): number | undefined {
  if (edge === undefined) return undefined
  let low = 0
  let high = keys.length
  while (low < high) {
    const middle = (low + high) >>> 1
    const key = keys[middle]!
    if (key < edge || (inclusive && key === edge)) low = middle + 1
    else high = middle
  }
  return low
}
