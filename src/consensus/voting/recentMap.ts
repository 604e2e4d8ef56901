import { keyOf } from '../../primitives/bytes.ts'

/** A map by bytes that forgets what was used longest ago when it has grown to its limit. */
export interface RecentMap<V> {
  get(key: Uint8Array): V | undefined
  set(key: Uint8Array, value: V): void
}

export function createRecentMap<V>(limit: number): RecentMap<V> {
  const entries = new Map<string, V>()

  /** Puts an entry where the youngest are. */
  function touch(key: string, value: V): void {
    entries.delete(key)
    entries.set(key, value)
  }

  return {
    get(bytes) {
      const key = keyOf(bytes)
      const value = entries.get(key)
      if (value !== undefined) touch(key, value)
      return value
    },
    set(bytes, value) {
      touch(keyOf(bytes), value)
      if (entries.size <= limit) return
      for (const oldest of entries.keys()) {
        entries.delete(oldest)
        return
      }
    },
  }
}
