import { expect, test } from 'vitest'
import type { Clock } from '../../system/clock.ts'
import { createTimers } from './timers.ts'

/** A clock whose actions are called when the test says so, whatever time it is. */
function createLooseClock() {
  const waits: { readonly milliseconds: number; readonly action: () => void; isCancelled: boolean }[] = []
  const at = { now: 1000 }
  const clock: Clock = {
    now: () => at.now,
    after(milliseconds, action) {
      const wait = { milliseconds, action, isCancelled: false }
      waits.push(wait)
      return () => {
        wait.isCancelled = true
      }
    },
  }
  return { clock, waits, at }
}

test('a timer that fires early waits on', () => {
  const { clock, waits, at } = createLooseClock()
  const fired: string[] = []
  createTimers<{ kind: string }>(clock, ({ kind }) => fired.push(kind)).set({ kind: 'block' }, { at: 1500 })
  at.now = 1499
  waits[0]!.action()
  expect([fired, waits[1]!.milliseconds]).toEqual([[], 1])
  at.now = 1500
  waits[1]!.action()
  expect(fired).toEqual(['block'])
})

test('one of a kind replaces the one before; all can be cleared; what is past is due', () => {
  const { clock, waits } = createLooseClock()
  const timers = createTimers<{ kind: string }>(clock, () => {})
  timers.set({ kind: 'block' }, { at: 10 })
  timers.set({ kind: 'round' }, { at: 5000 })
  timers.set({ kind: 'block' }, { at: 2 ** 40 })
  expect(waits.map(({ milliseconds, isCancelled }) => [milliseconds, isCancelled])).toEqual([
    [0, true],
    [1000, false],
    [1000, false],
  ])
  timers.clear()
  expect(waits.every(({ isCancelled }) => isCancelled)).toBe(true)
})

test('a clock that is set forward is noticed within a second', () => {
  const { clock, waits, at } = createLooseClock()
  const fired: string[] = []
  createTimers<{ kind: string }>(clock, ({ kind }) => fired.push(kind)).set({ kind: 'block' }, { at: 600_000 })
  at.now = 600_001
  waits[0]!.action()
  expect(fired).toEqual(['block'])
  expect(waits[0]!.milliseconds).toBe(1000)
})

test('a clock that is set back does not delay what is due after a time', () => {
  const { clock, waits, at } = createLooseClock()
  const fired: string[] = []
  createTimers<{ kind: string }>(clock, ({ kind }) => fired.push(kind)).set({ kind: 'round' }, { after: 2000 })
  expect(waits[0]!.milliseconds).toBe(2000)
  at.now -= 3_600_000
  waits[0]!.action()
  expect(fired).toEqual(['round'])
})
