/** A set of limited size that forgets its oldest member first. */
export interface RecentSet {
  add(key: string): void
  has(key: string): boolean
}

export function createRecentSet(limit: number): RecentSet {
  const keys = new Set<string>()
  return {
    add(key) {
      keys.delete(key)
      keys.add(key)
      if (keys.size <= limit) return
      for (const oldest of keys) {
        keys.delete(oldest)
        return
      }
    },
    has: (key) => keys.has(key),
  }
}
