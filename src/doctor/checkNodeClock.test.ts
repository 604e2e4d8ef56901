import { expect, test } from 'vitest'
import { checkNodeClock } from './checkNodeClock.ts'

const now = 1_700_000_000.9
const at = (age: number, period: number | undefined = 2) => ({ newest: Math.floor(now) - age, now, period })

test.each([
  ['a block of now', at(0), true, 'ok', '0 s old'],
  ['a clock that is a little behind', at(-2), true, 'ok', '0 s old'],
  ['a clock that is behind', at(-3), true, 'error', '3 s ahead of'],
  ['a node that does not run', at(100_000), false, 'ok', '100000 s old'],
  ['some rounds that failed', at(50), true, 'ok', '50 s old'],
  ['a clock that is ahead', at(51), true, 'warning', '51 s behind'],
  ['a network that makes blocks on demand', { ...at(100_000), period: undefined }, true, 'ok', '100000 s old'],
] as const)('%s', (_, times, running, level, text) => {
  const checked = checkNodeClock(times, running)
  expect(checked.level).toBe(level)
  expect(checked.text).toContain(text)
})
