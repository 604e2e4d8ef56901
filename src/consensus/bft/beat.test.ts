import { expect, test } from 'vitest'
import { createBeat } from './beat.ts'

const period = 250

/** A validator that has begun height 1 at the time 1000. */
function begun() {
  const beat = createBeat()
  expect(beat.begin(1n, period, 1000)).toBe(1000)
  return beat
}

test('a block is due a period after the last one was, however long that took', () => {
  const beat = begun()
  expect(beat.begin(2n, period, 1330)).toBe(1250)
  expect(beat.begin(3n, period, 1510)).toBe(1500)
})

test('one that came before it was due sets the pace', () => {
  const beat = begun()
  beat.came(1230)
  expect(beat.begin(2n, period, 1260)).toBe(1230)
  beat.came(1500)
  expect(beat.begin(3n, period, 1510)).toBe(1480)
  expect(beat.begin(4n, period, 1600)).toBe(1600)
})

test('what is overdue by more than a period is made up for by one block at most', () => {
  const beat = begun()
  expect(beat.begin(2n, period, 9000)).toBe(8750)
  expect(beat.begin(3n, period, 9020)).toBe(9000)
})

test('a clock that is set back makes nobody wait for more than a period', () => {
  const beat = begun()
  expect(beat.begin(2n, period, -3_600_000)).toBe(-3_600_000)
})

test('after blocks that this validator did not decide on it begins anew', () => {
  const beat = begun()
  expect(beat.begin(9n, period, 1700)).toBe(1700)
  expect(beat.begin(9n, period, 1800)).toBe(1800)
})

test('a block that waits for transactions does not let the next one come sooner', () => {
  const beat = begun()
  beat.postpone(60_000)
  beat.came(59_900)
  expect(beat.begin(2n, period, 59_930)).toBe(59_900)
})
