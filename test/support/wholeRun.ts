/** Whether everything runs that tests can find, however long it takes: `npm test -- --whole`. */
export const isWholeRun = process.env['QUOIN_TEST_WHOLE'] === 'true'

/** What the usual run takes, and what the whole run does. */
export const sampled = <T>(usual: T, whole: T): T => (isWholeRun ? whole : usual)

/** All cases in a whole run; else about so many of them, spread over the list, and always the same. */
export function sampleOf<T>(cases: readonly T[], count: number): readonly T[] {
  if (isWholeRun || cases.length <= count) return cases
  return cases.filter((_, i) => Math.floor((i * count) / cases.length) !== Math.floor(((i - 1) * count) / cases.length))
}
