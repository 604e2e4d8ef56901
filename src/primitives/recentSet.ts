import { dropOldest } from './dropOldest.ts'

/** A set that forgets the oldest keys when it grows beyond its limit; to add a key again makes it the youngest. */
export interface RecentSet<K> {
  add(key: K): void
  has(key: K): boolean
  /** Returns false if the key was not there. */
  delete(key: K): boolean
}

/** An empty set of up to `limit` keys. */
export function createRecentSet<K>(limit: number): RecentSet<K> {
  const keys = new Set<K>()
  return {
    add(key) {
      keys.delete(key)
      keys.add(key)
      dropOldest(keys, limit)
    },
    has: (key) => keys.has(key),
    delete: (key) => keys.delete(key),
  }
}
