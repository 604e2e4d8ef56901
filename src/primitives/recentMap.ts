import { dropOldest } from './dropOldest.ts'

/** A map that forgets the oldest entries when it grows beyond its limit; to set an entry again makes it the youngest. */
export interface RecentMap<K, V> {
  get(key: K): V | undefined
  /** As `get`, and makes the entry the youngest: in a map that is only read so, the least recently used entry goes first. */
  use(key: K): V | undefined
  set(key: K, value: V): void
  /** Returns false if there was no such entry. */
  delete(key: K): boolean
  clear(): void
  /** Values, oldest first. */
  values(): Iterable<V>
  /** Keys and values, oldest first. */
  entries(): Iterable<readonly [K, V]>
}

/** An empty map of up to `limit` entries. */
export function createRecentMap<K, V extends NonNullable<unknown>>(limit: number): RecentMap<K, V> {
  // A Map keeps the order of insertion: the first key is the oldest.
  const entries = new Map<K, V>()

  function touch(key: K, value: V): void {
    entries.delete(key)
    entries.set(key, value)
  }

  return {
    get: (key) => entries.get(key),
    use(key) {
      const value = entries.get(key)
      if (value !== undefined) touch(key, value)
      return value
    },
    set(key, value) {
      touch(key, value)
      dropOldest(entries, limit)
    },
    delete: (key) => entries.delete(key),
    clear: () => entries.clear(),
    values: () => entries.values(),
    entries: () => entries.entries(),
  }
}
