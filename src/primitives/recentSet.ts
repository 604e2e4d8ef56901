/** The keys that were added last: so many, and up to twice as many. */
export interface RecentSet<K> {
  add(key: K): void
  has(key: K): boolean
  /** Returns false if the key was not there. */
  delete(key: K): boolean
}

/**
 * An empty set, which remembers at least the last `count` keys. Older ones are forgotten many at a time, with the set that they
 * are in: to take the oldest out of a Set, one for each that is added, costs more than everything else that is done with it.
 */
export function createRecentSet<K>(count: number): RecentSet<K> {
  let young = new Set<K>()
  let old = new Set<K>()
  return {
    add(key) {
      young.add(key)
      if (young.size <= count) return
      old = young
      young = new Set([key])
      old.delete(key)
    },
    has: (key) => young.has(key) || old.has(key),
    delete(key) {
      const wasYoung = young.delete(key)
      return old.delete(key) || wasYoung
    },
  }
}
