import { expect, test } from 'vitest'
import { createSelectionLimit, minFirstGas, minGas, type SelectionLimit } from './selectionLimit.ts'

const period = 2

/** The most gas that the next block may have. */
function maxGasOf(limit: SelectionLimit): number {
  const isEnough = limit.begin(0, period)
  let [below, above] = [0, 2 ** 40]
  while (above - below > 1) {
    const middle = Math.floor((below + above) / 2)
    if (isEnough(0, BigInt(middle))) above = middle
    else below = middle
  }
  return above
}

/** Validators of which each block, of so much gas, becomes the head so many milliseconds after it was due. */
function createNetwork() {
  const limit = createSelectionLimit()
  limit.begin(0, period)
  let timestamp = 1000
  return {
    limit,
    mine(gasUsed: number, took: number) {
      timestamp += period
      limit.onBlock({ now: timestamp * 1000 + took, timestamp: BigInt(timestamp), gasUsed: BigInt(gasUsed) })
    },
  }
}

test('a selection takes up to two fifths of the period, and never more than five seconds', () => {
  const isEnoughAfter = (took: number, seconds?: number) => createSelectionLimit().begin(7000, seconds)(7000 + took, 0n)
  expect([isEnoughAfter(800, 2), isEnoughAfter(801, 2)]).toEqual([false, true])
  expect([isEnoughAfter(5000, 60), isEnoughAfter(5001, 60)]).toEqual([false, true])
  expect([isEnoughAfter(5000), isEnoughAfter(5001)]).toEqual([false, true])
})

test('blocks in time may have any gas', () => {
  const { limit, mine } = createNetwork()
  mine(200_000_000, 1400)
  expect(maxGasOf(limit)).toBe(2 ** 40)
})

test('after a late block the next have less gas, and then more each time', () => {
  const { limit, mine } = createNetwork()
  mine(100_000_000, 1600)
  expect(maxGasOf(limit)).toBe(70_000_000)
  mine(70_000_000, 1600)
  expect(maxGasOf(limit)).toBe(49_000_000)
  mine(49_000_000, 1000)
  expect(maxGasOf(limit)).toBe(56_350_000)
  // One that takes much less than it may shows little.
  mine(1_000_000, 1000)
  expect(maxGasOf(limit)).toBe(59_167_500)
})

test('however late blocks are, a little gas is left to them', () => {
  const { limit, mine } = createNetwork()
  for (let i = 0; i < 50; i++) mine(maxGasOf(limit), 10_000)
  expect(maxGasOf(limit)).toBe(minGas)
})

test('a block that began late because of its parent is not late for that', () => {
  const { limit, mine } = createNetwork()
  mine(100_000_000, 3500)
  // Due 1.5 s before its parent became the head, and done 1 s after that.
  mine(70_000_000, 2500)
  expect(maxGasOf(limit)).toBe(80_500_000)
})

test('small and empty blocks that are late take little gas from others', () => {
  const { limit, mine } = createNetwork()
  mine(0, 60_000)
  expect(maxGasOf(limit)).toBe(2 ** 40)
  mine(100_000, 60_000)
  mine(100_000, 60_000)
  expect(maxGasOf(limit)).toBe(minFirstGas)
})

test('a network of which every fourth block is late does not lose its gas', () => {
  const { limit, mine } = createNetwork()
  for (let i = 0; i < 30; i++) mine(maxGasOf(limit), i % 4 === 0 ? 10_000 : 200)
  expect(maxGasOf(limit)).toBeGreaterThan(minFirstGas)
})

test('without a period gas is not limited', () => {
  const { limit, mine } = createNetwork()
  mine(100_000_000, 10_000)
  expect(limit.begin(0, undefined)(0, 10n ** 12n)).toBe(false)
})
