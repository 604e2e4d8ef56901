/** A map that forgets what was set longest ago when it is full. */
export interface BoundedMap<K, V> {
  get(key: K): V | undefined
  has(key: K): boolean
  set(key: K, value: V): void
  delete(key: K): void
}

export function createBoundedMap<K, V>(limit: number): BoundedMap<K, V> {
  const entries = new Map<K, V>()
  return {
    get: (key) => entries.get(key),
    has: (key) => entries.has(key),
    set(key, value) {
      // Setting anew moves to the end of the order of insertion.
      entries.delete(key)
      entries.set(key, value)
      if (entries.size > limit) entries.delete(entries.keys().next().value as K)
    },
    delete: (key) => void entries.delete(key),
  }
}
