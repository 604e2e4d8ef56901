import { expect, test } from 'vitest'
import { confirmRate, type RateRange, searchRate } from './rateSearch.ts'
import { isSustained } from './sustainedRate.ts'

const range: RateRange = { start: 100, lowest: 5, highest: 20_000, precision: 0.1 }

/** Searches where rates up to that one hold; the answer has the rates that were tried. */
async function search(capacity: number, more: Partial<RateRange> = {}): Promise<{ found: number; tried: number[] }> {
  const tried: number[] = []
  const found = await searchRate(
    async (rate) => {
      tried.push(rate)
      return rate <= capacity
    },
    { ...range, ...more },
  )
  return { found, tried }
}

test.each([6, 13, 99, 100, 101, 260, 1734, 12_345])(
  'a network that holds %i is found out to a tenth',
  async (capacity) => {
    const { found, tried } = await search(capacity)
    expect(found).toBeLessThanOrEqual(capacity)
    const failed = Math.min(...tried.filter((rate) => rate > capacity))
    expect(failed).toBeLessThanOrEqual(Math.max(found * 1.1, found + 1))
    expect(new Set(tried).size).toBe(tried.length)
  },
)

test('rates are doubled first, and those between halved then', async () => {
  expect((await search(700)).tried).toEqual([100, 200, 400, 800, 600, 700, 750])
})

test('a network that holds nothing has no rate', async () => {
  const { found, tried } = await search(0)
  expect(found).toBe(0)
  expect(Math.min(...tried)).toBeGreaterThanOrEqual(range.lowest)
})

test('no rate above the highest is tried', async () => {
  const { found, tried } = await search(1e9, { highest: 1000 })
  expect(found).toBe(1000)
  expect(Math.max(...tried)).toBe(1000)
})

test('a rate that does not last is lowered until one does', async () => {
  const tried: number[] = []
  const confirmed = await confirmRate(1000, 5, async (rate) => {
    tried.push(rate)
    return rate < 850 ? 'held' : undefined
  })
  expect(tried).toEqual([1000, 900, 810])
  expect(confirmed).toEqual({ rate: 810, result: 'held' })
  expect(await confirmRate(100, 60, async () => undefined)).toBeUndefined()
})

test('a rate is sustained if nothing is lost or late', () => {
  const good = {
    ...{ offered: 100, refused: 0, accepted: 100, mined: 100, perSecond: 10, p50: 900, p99: 1500, p99FromFirst: 1500 },
    ...{ blocks: 10, slowest: 1, lag: 5 },
  }
  expect(isSustained(good)).toBe(true)
  expect(isSustained({ ...good, refused: 1 })).toBe(true)
  for (const change of [{ mined: 99 }, { p99FromFirst: 5000 }, { p99FromFirst: Number.NaN }, { lag: 2000 }])
    expect(isSustained({ ...good, ...change })).toBe(false)
})
