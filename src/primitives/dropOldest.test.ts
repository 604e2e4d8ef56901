import { expect, test } from 'vitest'
import { dropOldest } from './dropOldest.ts'

test('of a few keys the oldest one goes, and none below the limit', () => {
  const keys = new Set([1, 2, 3])
  dropOldest(keys, 3)
  expect([...keys]).toEqual([1, 2, 3])
  keys.add(4)
  dropOldest(keys, 3)
  expect([...keys]).toEqual([2, 3, 4])
})

test('of many keys some go at once, the oldest ones, and nearly all below the limit stay', () => {
  const limit = 10_000
  const entries = new Map<number, string>()
  let fewest = limit
  for (let n = 0; n < 5 * limit; n++) {
    entries.set(n, `${n}`)
    dropOldest(entries, limit)
    expect(entries.size).toBeLessThanOrEqual(limit)
    if (n >= limit) fewest = Math.min(fewest, entries.size)
  }
  expect(fewest).toBeGreaterThan(0.99 * limit)
  const left = [...entries.keys()]
  expect(left).toEqual(Array.from({ length: left.length }, (_, i) => 5 * limit - left.length + i))
})
