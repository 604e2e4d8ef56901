import { expect, test } from 'vitest'
import { createAnnouncer } from './announcer.ts'

test('everyone hears of an event before anyone hears of one that it led to', () => {
  const { announce, subscribe } = createAnnouncer<number>()
  const heard: string[] = []
  subscribe((n) => {
    heard.push(`a${n}`)
    if (n === 1) announce(2)
  })
  const end = subscribe((n) => heard.push(`b${n}`))
  announce(1)
  end()
  announce(3)
  expect(heard).toEqual(['a1', 'b1', 'a2', 'b2', 'a3'])
})

test('a listener that fails is no obstacle to later events', () => {
  const { announce, subscribe } = createAnnouncer<number>()
  const heard: number[] = []
  subscribe((n) => {
    if (n === 1) throw new Error('no')
    heard.push(n)
  })
  expect(() => announce(1)).toThrow('no')
  announce(2)
  expect(heard).toEqual([2])
})
