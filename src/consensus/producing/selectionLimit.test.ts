import { describe, expect, test } from 'vitest'
import { createSelectionLimit, gasPerByte, minGas, type SelectionLimit, startGas } from './selectionLimit.ts'

const period = 2
const atStart = startGas * period

/** The most gas that the next block may have. */
function maxGasOf(limit: SelectionLimit, seconds = period): number {
  const isEnough = limit.begin(0, seconds)
  let [below, above] = [0, 2 ** 40]
  while (above - below > 1) {
    const middle = Math.floor((below + above) / 2)
    if (isEnough(0, BigInt(middle), 0)) above = middle
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
    mine(gasUsed: number, took: number, bytes = 0) {
      timestamp += period
      limit.onBlock({ now: timestamp * 1000 + took, timestamp: BigInt(timestamp), gasUsed: BigInt(gasUsed), bytes })
    },
  }
}

test('a selection takes up to a quarter of the period, and never more than five seconds', () => {
  const isEnoughAfter = (took: number, seconds?: number) =>
    createSelectionLimit().begin(7000, seconds)(7000 + took, 0n, 0)
  expect([isEnoughAfter(500, 2), isEnoughAfter(501, 2)]).toEqual([false, true])
  expect([isEnoughAfter(5000, 60), isEnoughAfter(5001, 60)]).toEqual([false, true])
  expect([isEnoughAfter(5000), isEnoughAfter(5001)]).toEqual([false, true])
})

test('as long as blocks are in time, the next may be twice as large, and a smaller one takes nothing away', () => {
  const { limit, mine } = createNetwork()
  expect(maxGasOf(limit)).toBe(atStart)
  mine(atStart, 1400)
  expect(maxGasOf(limit)).toBe(2 * atStart)
  mine(2 * atStart, 1400)
  expect(maxGasOf(limit)).toBe(4 * atStart)
  mine(0, 100)
  expect(maxGasOf(limit)).toBe(4 * atStart)
})

test('after a late block the next have less gas, and then more each time', () => {
  const { limit, mine } = createNetwork()
  mine(atStart, 1000)
  mine(100_000_000, 1600)
  expect(maxGasOf(limit)).toBe(70_000_000)
  mine(70_000_000, 1600)
  expect(maxGasOf(limit)).toBe(49_000_000)
  mine(40_000_000, 1000)
  expect(maxGasOf(limit)).toBe(56_350_000)
})

test('after a late block the next grow with what is mined, not with what would be allowed', () => {
  const { limit, mine } = createNetwork()
  for (let i = 0; i < 30; i++) mine(200_000_000, 1000)
  mine(200_000_000, 1600)
  expect(maxGasOf(limit)).toBe(140_000_000)
  mine(140_000_000, 1000)
  expect(maxGasOf(limit)).toBe(161_000_000)
  for (let i = 0; i < 30; i++) mine(i % 2 === 0 ? 120_000_000 : 0, 1000)
  expect(maxGasOf(limit)).toBeLessThan(120_000_000)
})

test('a validator whose limit is lower learns from the blocks of others', () => {
  const { limit, mine } = createNetwork()
  for (let i = 0; i < 30; i++) mine(200_000_000, 1000)
  mine(200_000_000, 1600)
  mine(180_000_000, 1000)
  expect(maxGasOf(limit)).toBe(207_000_000)
})

test('a late block is forgotten in the end', () => {
  const { limit, mine } = createNetwork()
  mine(200_000_000, 1600)
  for (let i = 0; i <= 60; i++) mine(1_000_000, 100)
  mine(atStart, 1000)
  expect(maxGasOf(limit)).toBe(2 * atStart)
})

test('however late blocks are, a little gas is left to them', () => {
  const { limit, mine } = createNetwork()
  for (let i = 0; i < 50; i++) mine(maxGasOf(limit), 10_000)
  expect(maxGasOf(limit)).toBe(minGas)
})

test('a block that began late because of its parent is not late for that', () => {
  const { limit, mine } = createNetwork()
  for (let i = 0; i < 30; i++) mine(100_000_000, 1000)
  mine(100_000_000, 3500)
  // Due 1.5 s before its parent became the head, and done 1 s after that.
  mine(70_000_000, 2500)
  expect(maxGasOf(limit)).toBe(80_500_000)
})

test('small and empty blocks that are late take no gas from others', () => {
  const { limit, mine } = createNetwork()
  mine(0, 60_000)
  mine(100_000, 60_000)
  mine(100_000, 60_000)
  expect(maxGasOf(limit)).toBe(atStart)
})

test('a network of which every fourth block is late does not lose its gas', () => {
  const { limit, mine } = createNetwork()
  for (let i = 0; i < 30; i++) mine(maxGasOf(limit), i % 4 === 0 ? 10_000 : 200)
  expect(maxGasOf(limit)).toBeGreaterThan(startGas)
})

test('bytes that cost little gas count as if they had cost more', () => {
  const { limit, mine } = createNetwork()
  const isEnough = (gas: bigint, bytes: number) => limit.begin(0, period)(0, gas, bytes)
  const bytes = atStart / gasPerByte
  expect([isEnough(1n, bytes - 1), isEnough(1n, bytes)]).toEqual([false, true])
  mine(1_000_000, 1600, bytes)
  expect(maxGasOf(limit)).toBe(atStart * 0.7)
  mine(1_000_000, 1000, bytes * 0.7)
  expect(maxGasOf(limit)).toBeCloseTo(atStart * 0.7 * 1.15, -1)
})

test('without a period gas is not limited', () => {
  const { limit, mine } = createNetwork()
  mine(100_000_000, 10_000)
  expect(limit.begin(0, undefined)(0, 10n ** 12n, 10 ** 9)).toBe(false)
})

describe('with parts of a second, which are not in the timestamp', () => {
  /** Each block becomes the head so many milliseconds after it was due, by a pace of four blocks a second. */
  function createQuickNetwork() {
    const limit = createSelectionLimit()
    limit.begin(0, 0.25)
    let due = 1_000_100
    return {
      limit,
      mine(gasUsed: number, took: number) {
        due += 250
        limit.onBlock({
          now: due + took,
          timestamp: BigInt(Math.floor(due / 1000)),
          gasUsed: BigInt(gasUsed),
          bytes: 0,
        })
      },
    }
  }

  const quickMaxGasOf = (limit: SelectionLimit) => maxGasOf(limit, 0.25)

  test('blocks in time may grow', () => {
    const { limit, mine } = createQuickNetwork()
    for (let i = 0; i < 8; i++) mine(0, 40)
    mine(startGas / 4, 120)
    expect(quickMaxGasOf(limit)).toBe(startGas / 2)
    mine(startGas / 2, 180)
    expect(quickMaxGasOf(limit)).toBe(startGas)
  })

  test('one that takes most of a period longer than the quickest is late', () => {
    const { limit, mine } = createQuickNetwork()
    for (let i = 0; i < 8; i++) mine(0, 20)
    mine(startGas / 4, 230)
    expect(quickMaxGasOf(limit)).toBeCloseTo((startGas / 4) * 0.7, -1)
    mine(startGas / 8, 20)
    expect(quickMaxGasOf(limit)).toBeGreaterThan((startGas / 4) * 0.7)
  })
})
