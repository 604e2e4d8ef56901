import { expect, test } from 'vitest'
import { account, createWorld, feeMarketTransfer, transfer } from '../../test/support/poolFixtures.ts'
import { type EntryFilter, filterEntries } from './filterEntries.ts'

test('every member given must hold, and the limit cuts', () => {
  const { pool, add } = createWorld()
  add(transfer(1, 0, 10n, { value: 5n }))
  add(transfer(1, 1, 20n, { to: undefined, gasLimit: 60_000n }))
  add(feeMarketTransfer(2, 2, { maxFee: 30n, maxPriorityFee: 1n }))
  const nonces = (filter: EntryFilter, limit = 10) =>
    filterEntries(pool.entries(), filter, limit).map((e) => Number(e.tx.nonce))
  expect(nonces({})).toEqual([0, 1, 2])
  expect(nonces({}, 2)).toEqual([0, 1])
  expect(nonces({}, 0)).toEqual([])
  expect(nonces({ from: account(1) })).toEqual([0, 1])
  expect(nonces({ to: account(999) })).toEqual([0, 2])
  expect(nonces({ to: 'contract creation' })).toEqual([1])
  expect(nonces({ gas: { operator: 'gt', value: 21_000n } })).toEqual([1])
  expect(nonces({ gasPrice: { operator: 'gt', value: 10n } })).toEqual([1, 2])
  expect(nonces({ gasPrice: { operator: 'eq', value: 30n } })).toEqual([2])
  expect(nonces({ value: { operator: 'eq', value: 5n } })).toEqual([0])
  expect(
    nonces({ nonce: { operator: 'lt', value: 2n }, from: account(1), value: { operator: 'eq', value: 0n } }),
  ).toEqual([1])
})
