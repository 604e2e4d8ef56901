import { expect, test } from 'vitest'
import { createRecentSet } from './recentSet.ts'

test('forgets what was added longest ago', () => {
  const set = createRecentSet<string>(2)
  for (const key of ['a', 'b', 'a', 'c']) set.add(key)
  expect(['a', 'b', 'c'].map(set.has)).toEqual([true, false, true])
})
