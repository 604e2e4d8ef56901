import { expect, test } from 'vitest'
import { account, feeMarketTransfer, gwei, sentBy, transfer } from '../../test/support/poolFixtures.ts'
import type { BlobTx } from '../types/transaction.ts'
import { mayReplace } from './replacement.ts'

const byFee = (tip: bigint, max: bigint) => feeMarketTransfer(1, 0, { maxPriorityFee: tip, maxFee: max })

test('a gas price must rise by the bump, rounded down', () => {
  const old = transfer(1, 0, 1005n)
  expect(mayReplace(old, transfer(1, 0, 1104n), undefined, 10)).toBe(false)
  expect(mayReplace(old, transfer(1, 0, 1105n), undefined, 10)).toBe(true)
})

test('without a bump an equal price replaces and a lower one does not', () => {
  const old = transfer(1, 0, 5n)
  expect(mayReplace(old, transfer(1, 0, 5n), undefined, 0)).toBe(true)
  expect(mayReplace(old, transfer(1, 0, 4n), undefined, 0)).toBe(false)
})

test('between fee markets the price in the next block counts, not the cap', () => {
  const old = byFee(gwei, 20n * gwei)
  expect(mayReplace(old, byFee(gwei, 30n * gwei), 7n, 10)).toBe(false)
  expect(mayReplace(old, byFee(2n * gwei, 20n * gwei), 7n, 10)).toBe(true)
  expect(mayReplace(byFee(2n * gwei, 20n * gwei), byFee((gwei * 11n) / 10n, 22n * gwei), 7n, 10)).toBe(false)
})

test('while the base fee takes most of the cap, raising the cap replaces', () => {
  const old = byFee(10n, 105n)
  expect(mayReplace(old, byFee(10n, 115n), 100n, 10)).toBe(false)
  expect(mayReplace(byFee(30n, 105n), byFee(30n, 116n), 100n, 10)).toBe(true)
})

test('at an equal price it takes that nobody tips', () => {
  expect(mayReplace(byFee(0n, 100n), byFee(0n, 120n), 50n, 10)).toBe(true)
  expect(mayReplace(byFee(1n, 100n), byFee(1n, 120n), 50n, 10)).toBe(false)
  expect(mayReplace(byFee(1n, 40n), byFee(2n, 40n), 50n, 10)).toBe(true)
})

test('gas price and fee market are compared by what they pay now', () => {
  const old = transfer(1, 0, 100n)
  expect(mayReplace(old, byFee(60n, 1000n), 50n, 10)).toBe(true)
  expect(mayReplace(old, byFee(55n, 1000n), 50n, 10)).toBe(false)
  expect(mayReplace(byFee(50n, 100n), transfer(1, 0, 110n), 50n, 10)).toBe(true)
})

test('a replacement of a blob transaction pays double in every respect', () => {
  const blob = (tip: bigint, maxFee: bigint, maxBlobFee: bigint): BlobTx =>
    sentBy(account(1), { ...byFee(tip, maxFee), type: 3, maxBlobFee, blobHashes: [] })
  const old = blob(10n, 100n, 5n)
  expect(mayReplace(old, blob(20n, 200n, 10n), 1n, 10)).toBe(true)
  expect(mayReplace(old, blob(19n, 200n, 10n), 1n, 10)).toBe(false)
  expect(mayReplace(old, blob(20n, 199n, 10n), 1n, 10)).toBe(false)
  expect(mayReplace(old, blob(20n, 200n, 9n), 1n, 10)).toBe(false)
  expect(mayReplace(old, byFee(20n, 200n), 1n, 10)).toBe(true)
  expect(mayReplace(old, transfer(1, 0, 199n), 1n, 10)).toBe(false)
})
