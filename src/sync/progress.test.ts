import { expect, test } from 'vitest'
import { createManualClock } from '../../test/support/manualClock.ts'
import { createProgressMeter } from './progress.ts'

test('rates are those of the last seconds', () => {
  const clock = createManualClock(0)
  const meter = createProgressMeter(clock)
  expect(meter.at(0n, 100n)).toMatchObject({ blocksPerSecond: 0, left: undefined })
  clock.run(1000)
  meter.add(10, 5_000_000)
  expect(meter.at(10n, 100n)).toEqual({
    current: 10n,
    highest: 100n,
    blocksPerSecond: 10,
    gasPerSecond: 5_000_000,
    left: 9,
  })
  for (let second = 0; second < 30; second++) {
    clock.run(1000)
    meter.add(2, 0)
  }
  expect(meter.at(70n, 100n)).toMatchObject({ blocksPerSecond: 2, gasPerSecond: 0, left: 15 })
})
