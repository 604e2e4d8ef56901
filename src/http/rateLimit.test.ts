import { expect, test } from 'vitest'
import { createRateLimit } from './rateLimit.ts'

test('a client has so many calls in a second, and others have theirs', () => {
  let time = 0
  const limit = createRateLimit(2, () => time)
  expect([limit.spend('a', 1), limit.spend('a', 1), limit.spend('a', 1)]).toEqual([true, true, false])
  expect([limit.isOver('a'), limit.isOver('b')]).toEqual([true, false])
  time += 500
  expect([limit.spend('a', 1), limit.spend('a', 1)]).toEqual([true, false])
  time += 60_000
  expect([limit.spend('a', 1), limit.spend('a', 1), limit.spend('a', 1)]).toEqual([true, true, false])
})

test('a batch counts as its calls', () => {
  let time = 0
  const limit = createRateLimit(10, () => time)
  expect(limit.spend('a', 30)).toBe(true)
  time += 2000
  expect(limit.isOver('a')).toBe(true)
  time += 100
  expect(limit.isOver('a')).toBe(false)
})
