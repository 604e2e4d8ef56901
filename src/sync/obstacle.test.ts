import { expect, test } from 'vitest'
import { createManualClock } from '../../test/support/manualClock.ts'
import { createRecordedLogs } from '../../test/support/recordedLogs.ts'
import { createObstacleNote } from './obstacle.ts'

test('a block that could not be imported counts until it is passed, or until nobody has claimed it for five minutes', () => {
  const [clock, logs] = [createManualClock(0), createRecordedLogs()]
  const note = createObstacleNote(clock, logs)
  const obstacle = { block: 10n, highest: 20n, reason: 'it is too large' }
  expect(note.current(9n)).toBeUndefined()
  note.onFailure(obstacle)
  note.onFailure(obstacle)
  expect(logs.lines()).toEqual(['warn cannot get past block #10: it is too large'])
  expect(note.current(9n)).toMatchObject(obstacle)
  clock.run(300_000)
  expect(note.current(9n)).toMatchObject(obstacle)
  clock.run(1)
  expect(note.current(9n)).toBeUndefined()
  note.onFailure(obstacle)
  expect(note.current(10n)).toBeUndefined()
  expect(note.current(9n)).toBeUndefined()
})

test('a branch that cannot be adopted counts until it has not come for five minutes, however long the own one is', () => {
  const [clock, logs] = [createManualClock(0), createRecordedLogs()]
  const note = createObstacleNote(clock, logs)
  const obstacle = { block: 10n, highest: 20n, reason: 'it is of another branch', isBranch: true }
  note.onFailure(obstacle)
  note.onFailure(obstacle)
  expect(logs.lines()).toEqual(['warn cannot get past block #10: it is of another branch'])
  expect(note.current(30n)).toMatchObject(obstacle)
  clock.run(300_001)
  expect(note.current(30n)).toBeUndefined()
})
