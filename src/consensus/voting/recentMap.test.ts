import { expect, test } from 'vitest'
import { createRecentMap } from './recentMap.ts'

test('forgets what was used longest ago', () => {
  const map = createRecentMap<string>(2)
  const [a, b, c] = [1, 2, 3].map((n) => Uint8Array.of(n))
  map.set(a!, 'a')
  map.set(b!, 'b')
  expect(map.get(Uint8Array.of(1))).toBe('a')
  map.set(c!, 'c')
  expect([a!, b!, c!].map((key) => map.get(key))).toEqual(['a', undefined, 'c'])
})
