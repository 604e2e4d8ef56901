/** Numbers that look random and come again with the same seed. */
export type Random = ReturnType<typeof createRandom>

export function createRandom(seed: number) {
  let state = seed >>> 0

  /** 32 bits (mulberry32). */
  function next(): number {
    state = (state + 0x6d2b79f5) >>> 0
    let t = state
    t = Math.imul(t ^ (t >>> 15), t | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return (t ^ (t >>> 14)) >>> 0
  }

  /** From 0 to below `limit`. */
  const below = (limit: number) => Math.floor((next() / 2 ** 32) * limit)

  return {
    below,
    /** Both ends included. */
    between: (min: number, max: number) => min + below(max - min + 1),
    /** True in so many of a hundred cases. */
    percent: (share: number) => next() < (share / 100) * 2 ** 32,
    pick: <T>(list: readonly T[]): T => list[below(list.length)]!,
    /** One of the values, each as likely as its weight says. */
    weighted<T>(list: readonly (readonly [weight: number, value: T])[]): T {
      let left = below(list.reduce((sum, [weight]) => sum + weight, 0))
      for (const [weight, value] of list) if ((left -= weight) < 0) return value
      throw new RangeError('nothing to choose from')
    },
    bytes: (length: number) => Uint8Array.from({ length }, () => below(256)),
  }
}
