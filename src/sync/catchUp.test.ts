import { expect, test } from 'vitest'
import { createManualClock } from '../../test/support/manualClock.ts'
import { createCatchUp } from './catchUp.ts'

test('a node that has just started waits a little, and then only for blocks that came', () => {
  const clock = createManualClock(0)
  const catchUp = createCatchUp(clock, 5n)
  expect(catchUp.isLikely()).toBe(true)
  clock.run(60_000)
  expect(catchUp.isLikely()).toBe(false)
  catchUp.onStarted()
  catchUp.onImported(5)
  expect(catchUp.isLikely()).toBe(false)
  catchUp.onImported(1)
  expect(catchUp.isLikely()).toBe(true)
  clock.run(60_000)
  expect(catchUp.isLikely()).toBe(false)
})

test('a few blocks in each of many downloads prove nothing', () => {
  const clock = createManualClock(0)
  const catchUp = createCatchUp(clock, 5n)
  clock.run(60_000)
  for (let i = 0; i < 10; i++) {
    catchUp.onStarted()
    catchUp.onImported(3)
  }
  expect(catchUp.isLikely()).toBe(false)
})
