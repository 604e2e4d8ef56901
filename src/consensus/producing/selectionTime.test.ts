import { expect, test } from 'vitest'
import { createSelectionTime as create, isSelectionOver, minGas } from './selectionTime.ts'

const parentTimestamp = 1000n
const due = 1002_000
const moment = { now: due, period: 2, parentTimestamp, parentIsEmpty: false }

/** The time once a block has its first transactions. */
function createSelectionTime() {
  const next = create()
  return (at: Parameters<typeof next>[0]) => next(at).time
}

test('a selection in time takes up to two fifths of the period, and never more than five seconds', () => {
  expect(createSelectionTime()(moment)).toBe(800)
  expect(createSelectionTime()({ ...moment, period: 60, now: 1_060_000 })).toBe(5000)
  expect(createSelectionTime()({ ...moment, period: undefined })).toBe(5000)
})

test('late blocks take time away, down to a tenth of it, and blocks in time give it back', () => {
  const next = createSelectionTime()
  // One period late: half the time.
  expect(next({ ...moment, now: due + 2000 })).toBeCloseTo(400)
  expect(next({ ...moment, now: due + 20_000 })).toBeCloseTo(80)
  expect(next({ ...moment, now: due + 20_000 })).toBeCloseTo(80)
  expect(next({ ...moment, now: due + 400 })).toBeCloseTo(120)
  for (let i = 0; i < 10; i++) next(moment)
  expect(next(moment)).toBe(800)
})

test('a block that waited for its first transaction is not late', () => {
  expect(createSelectionTime()({ ...moment, now: due + 60_000, parentIsEmpty: true })).toBe(800)
})

test('late blocks have the full time for their first transactions', () => {
  const next = create()
  for (let i = 0; i < 10; i++) next({ ...moment, now: due + 20_000 })
  const time = next({ ...moment, now: due + 20_000 })
  // A process that is not scheduled loses more than the 80 ms between two transactions.
  expect(isSelectionOver(time, 500, minGas - 1n)).toBe(false)
  expect(isSelectionOver(time, 801, minGas - 1n)).toBe(true)
  expect(isSelectionOver(time, 79, minGas)).toBe(false)
  expect(isSelectionOver(time, 81, minGas)).toBe(true)
})
