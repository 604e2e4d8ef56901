import { expect, test } from 'vitest'
import { defaultPoolOptions, layeredLimits, legacyLimits, priceBumpOf } from './options.ts'

test('the default has room for 100,000 transfers', () => {
  expect(defaultPoolOptions.limits).toMatchObject({ maxCount: 100_000, maxBytes: 25_000_000, maxFuture: 200 })
  expect(layeredLimits({ layerMaxCapacity: 50_000_000, maxFutureBySender: 9 }).maxCount).toBe(400_000)
})

test('the legacy family counts transactions', () => {
  expect(legacyLimits({ maxSize: 4096, limitByAccount: 0.001, retentionHours: 13 })).toMatchObject({
    maxCount: 4096,
    maxFuture: 5,
    retention: 46_800_000,
    shownSize: 4096,
  })
})

test('a network without gas prices has no bump unless one is asked for', () => {
  expect(priceBumpOf(undefined, { zeroBaseFee: false, minGasPrice: 1000n })).toBe(10)
  expect(priceBumpOf(undefined, { zeroBaseFee: false, minGasPrice: 0n })).toBe(0)
  expect(priceBumpOf(25, { zeroBaseFee: false, minGasPrice: 0n })).toBe(25)
  expect(priceBumpOf(undefined, { zeroBaseFee: true, minGasPrice: 1000n })).toBe(0)
})
