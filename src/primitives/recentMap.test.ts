import { expect, test } from 'vitest'
import { createRecentMap } from './recentMap.ts'

function filled(limit: number, ...keys: string[]) {
  const map = createRecentMap<string, string>(limit)
  for (const key of keys) map.set(key, key.toUpperCase())
  return map
}

test('forgets the oldest entry; to set one again makes it the youngest', () => {
  expect([...filled(2, 'a', 'b', 'a', 'c').entries()]).toEqual([
    ['a', 'A'],
    ['c', 'C'],
  ])
})

test('to use an entry makes it the youngest, to get it does not', () => {
  const used = filled(2, 'a', 'b')
  expect(used.use('a')).toBe('A')
  used.set('c', 'C')
  expect([...used.values()]).toEqual(['A', 'C'])
  const got = filled(2, 'a', 'b')
  expect(got.get('a')).toBe('A')
  got.set('c', 'C')
  expect([...got.values()]).toEqual(['B', 'C'])
})

test('an unknown key is not kept by asking for it', () => {
  const map = filled(1, 'a')
  expect([map.get('b'), map.use('b')]).toEqual([undefined, undefined])
  expect([...map.values()]).toEqual(['A'])
})

test('deleting makes room', () => {
  const map = filled(2, 'a', 'b')
  expect([map.delete('a'), map.delete('a')]).toEqual([true, false])
  map.set('c', 'C')
  expect([...map.values()]).toEqual(['B', 'C'])
  map.clear()
  expect([...map.values()]).toEqual([])
})
