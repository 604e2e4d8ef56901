import { expect, test } from 'vitest'
import { standstillOf } from './standstill.ts'

test.each([
  ['a second without a block', 1, 1, false],
  ['ten seconds', 1, 10, false],
  ['a quarter of a minute', 1, 15, true],
  ['half a minute where they come every ten seconds', 10, 30, false],
  ['a minute there', 10, 60, true],
  ['a minute where they come every minute', 60, 61, false],
])('%s', (_, usual, seconds, stands) => {
  const found = standstillOf(1000, 1000 + 20 * usual, 20, seconds)
  expect(found).toEqual(stands ? { seconds, usual } : undefined)
})

test('a chain without blocks does not stand still', () => {
  expect(standstillOf(0, 0, 0, 1000)).toBeUndefined()
})
