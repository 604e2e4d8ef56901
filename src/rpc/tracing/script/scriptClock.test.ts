import { expect, test } from 'vitest'
import { createScriptClock, maxScriptTime, milliseconds } from './scriptClock.ts'

test('durations are those of Go', () => {
  expect(['10s', '500ms', '1m30s', '1.5s', '2us', '1h'].map(milliseconds)).toEqual([
    10_000, 500, 90_000, 1500, 0.002, 3_600_000,
  ])
  expect(['', '10', 's', '10 s', '-1s', '1d'].map(milliseconds)).toEqual(Array(6).fill(undefined))
})

test('each transaction has its time, all together have a limit, and after the first that takes too long none is begun', () => {
  let time = 0
  const clock = createScriptClock(() => time)
  for (let i = 0; i < 3; i++) {
    const isOver = clock.begin(1000)
    time += 999
    expect(isOver()).toBe(false)
  }
  expect(clock.isUsedUp()).toBe(false)
  const isOver = clock.begin(maxScriptTime)
  time = maxScriptTime - 1
  expect(isOver()).toBe(false)
  time = maxScriptTime
  expect([isOver(), clock.isUsedUp()]).toEqual([true, true])
})
