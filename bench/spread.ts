/** What repeated measurements of one figure came to. */
export interface Spread {
  readonly median: number
  /** A quarter of the measurements lies below. */
  readonly low: number
  /** A quarter of them lies above. */
  readonly high: number
  readonly count: number
}

export function spreadOf(values: readonly number[]): Spread {
  const sorted = values.toSorted((a, b) => a - b)
  const at = (share: number) => {
    const place = share * (sorted.length - 1)
    const below = Math.floor(place)
    const [a, b] = [sorted[below]!, sorted[Math.ceil(place)]!]
    return a + (b - a) * (place - below)
  }
  return { median: at(0.5), low: at(0.25), high: at(0.75), count: sorted.length }
}

export const medianOf = (values: readonly number[]): number => spreadOf(values).median

/** Half the distance of the quartiles, in parts of the median: ±3 %. Empty for a single measurement. */
export function formatSpread({ median, low, high, count }: Spread): string {
  if (count < 2 || median === 0) return ''
  return `±${Math.round((50 * (high - low)) / median)} %`
}
