/** What a Set and a Map have in common: keys in the order in which they were added. */
interface Ordered<K> {
  readonly size: number
  keys(): Iterable<K>
  delete(key: K): boolean
}

/**
 * Removes the oldest keys if there are more than `limit`. To find the oldest one, the engine walks past all that were removed
 * since it last rebuilt its table, thousands in a large one: there, some go at once, and a little less than the limit stays.
 */
export function dropOldest<K>(from: Ordered<K>, limit: number): void {
  if (from.size <= limit) return
  let left = 1 + (limit >> 7)
  for (const key of from.keys()) {
    from.delete(key)
    if (--left === 0) return
  }
}
