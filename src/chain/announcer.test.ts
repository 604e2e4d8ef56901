import { expect, test } from 'vitest'
import { createAnnouncer } from './announcer.ts'

test('everyone hears of an event before anyone hears of one that it led to', () => {
  const { announce, subscribe } = createAnnouncer<number>()
  const seen: string[] = []
  subscribe((n) => {
    seen.push(`a${n}`)
    if (n === 1) announce(2)
  })
  const end = subscribe((n) => seen.push(`b${n}`))
  announce(1)
  end()
  announce(3)
  expect(seen).toEqual(['a1', 'b1', 'a2', 'b2', 'a3'])
})

test('a listener that fails is no obstacle to later events', () => {
  const { announce, subscribe } = createAnnouncer<number>()
  const seen: number[] = []
  subscribe((n) => {
    if (n === 1) throw new Error('no')
    seen.push(n)
  })
  expect(() => announce(1)).toThrow('no')
  announce(2)
  expect(seen).toEqual([2])
})
