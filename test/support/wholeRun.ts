/** Whether everything runs that tests can find, however long it takes: `npm test -- --whole`. */
export const isWholeRun = process.env['QUOIN_TEST_WHOLE'] === 'true'

/** What the usual run takes, and what the whole run does. */
export const sampled = <T>(usual: T, whole: T): T => (isWholeRun ? whole : usual)

/** All cases in a whole run; else about so many of them, spread over the list, and always the same. */
export function sampleOf<T>(cases: readonly T[], count: number): readonly T[] {
  if (isWholeRun || cases.length <= count) return cases
  return cases.filter((_, i) => Math.floor((i * count) / cases.length) !== Math.floor(((i - 1) * count) / cases.length))
}

/** All cases in a whole run; else one of so many, others for each index, so that all of them are taken somewhere. */
export function shareOf<T>(cases: readonly T[], index: number, of: number): readonly T[] {
  return isWholeRun ? cases : cases.filter((_, i) => (i + index) % of === 0)
}
