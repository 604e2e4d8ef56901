/** Where a rate is looked for. */
export interface RateRange {
  /** The first that is tried. */
  readonly start: number
  /** None below is tried. */
  readonly lowest: number
  /** None above is tried. */
  readonly highest: number
  /** The rate is found when one that does not hold is larger by at most this share. */
  readonly precision: number
}

type Holds = (rate: number) => Promise<boolean>

/** Doubles the rate until one does not hold, and halves the distance then. 0 if not even the lowest holds. */
export async function searchRate(holds: Holds, { start, lowest, highest, precision }: RateRange): Promise<number> {
  let held = 0
  let failed = Number.POSITIVE_INFINITY
  for (let rate = start; failed > rate && held < highest; rate = Math.min(2 * rate, highest))
    if (await holds(rate)) held = rate
    else failed = rate
  while (held === 0) {
    const rate = Math.floor(failed / 2)
    if (rate < lowest) return 0
    if (await holds(rate)) held = rate
    else failed = rate
  }
  while (failed < Number.POSITIVE_INFINITY && failed > held * (1 + precision)) {
    const rate = Math.round((held + failed) / 2)
    if (rate === held || rate === failed) break
    if (await holds(rate)) held = rate
    else failed = rate
  }
  return held
}

/** A rate that was confirmed, and what was seen of it. */
export interface Confirmed<T> {
  readonly rate: number
  readonly result: T
}

/** What a short probe found may not last: lowers the rate by a tenth until `confirm` has a result; undefined if none has. */
export async function confirmRate<T>(
  found: number,
  lowest: number,
  confirm: (rate: number) => Promise<T | undefined>,
): Promise<Confirmed<T> | undefined> {
  for (let rate = found; rate >= lowest; rate = Math.floor(rate * 0.9)) {
    const result = await confirm(rate)
    if (result !== undefined) return { rate, result }
  }
  return undefined
}
