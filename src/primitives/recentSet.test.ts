import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createRecentSet } from './recentSet.ts'

test('forgets what was added longest ago', () => {
  const set = createRecentSet<string>(2)
  for (const key of ['a', 'b', 'a', 'c', 'd', 'e']) set.add(key)
  expect(['a', 'b', 'c', 'd', 'e'].map(set.has)).toEqual([false, false, true, true, true])
})

test('knows as many as it should, and no more than twice as many', () => {
  const keys = fc.array(fc.nat(40))
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 10 }), keys, (count, added) => {
      const set = createRecentSet<number>(count)
      for (const key of added) set.add(key)
      const newestFirst = [...new Set(added.toReversed())]
      expect(newestFirst.slice(0, count).every(set.has)).toBe(true)
      expect(newestFirst.filter(set.has).length).toBeLessThanOrEqual(2 * count)
    }),
  )
})

test('a key that was taken out is gone, however old it was', () => {
  const set = createRecentSet<string>(2)
  for (const key of ['a', 'b', 'c', 'a']) set.add(key)
  expect([set.delete('a'), set.delete('a'), set.has('a'), set.has('c')]).toEqual([true, false, false, true])
})
