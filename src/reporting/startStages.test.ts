import { expect, test } from 'vitest'
import { createManualClock } from '../../test/support/manualClock.ts'
import { createRecordedLogs } from '../../test/support/recordedLogs.ts'
import { createStartStages } from './startStages.ts'

test('a stage that takes long is named while it lasts, a quick one never', () => {
  const clock = createManualClock(0)
  const log = createRecordedLogs()
  const stages = createStartStages(clock, log)
  stages.enter('opening the database')
  clock.run(4000)
  stages.enter('asking the permissioning contracts')
  clock.run(11_000)
  stages.end()
  clock.run(60_000)
  expect(log.lines()).toEqual([
    'info starting: asking the permissioning contracts takes 5 s so far',
    'info starting: asking the permissioning contracts takes 10 s so far',
  ])
})

test('a stage that left nobody a turn is named when it is over', () => {
  let now = 0
  const log = createRecordedLogs()
  const stages = createStartStages({ ...createManualClock(0), now: () => now, after: () => () => {} }, log)
  stages.enter('asking the permissioning contracts')
  now = 7000
  stages.enter('starting the services')
  now = 8000
  stages.end()
  expect(log.lines()).toEqual(['info starting: asking the permissioning contracts took 7 s'])
})
