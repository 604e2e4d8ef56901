import { expect, test } from 'vitest'
import { feeMarketTransfer, transfer } from '../../test/support/poolFixtures.ts'
import { createCongestion } from './congestion.ts'

/** A congestion after blocks of `count` free transactions, one every `period` seconds, that leave `left` in the pool. */
function after(blocks: number, count: number, left: number, period = 1) {
  const congestion = createCongestion()
  const transactions = Array.from({ length: count }, (_, i) => transfer(1, i, 0n))
  for (let i = 0; i < blocks; i++) congestion.onBlock({ transactions, timestamp: 100 + i * period, baseFee: 0n, left })
  return congestion
}

const free = transfer(2, 0, 0n)

test('a backlog of three seconds is accepted, a longer one is refused with the time to wait', () => {
  const congestion = after(3, 1000, 2500)
  expect(congestion.find(free, 2999)).toBeUndefined()
  expect(congestion.find(free, 3000)).toEqual({ code: 'TOO_MANY_TRANSACTIONS', retryAfter: 1 })
  expect(congestion.find(free, 7500)).toEqual({ code: 'TOO_MANY_TRANSACTIONS', retryAfter: 5 })
})

test('with long periods the backlog may be two blocks', () => {
  const congestion = after(5, 1000, 2500, 10)
  expect(congestion.find(free, 1500)).toBeUndefined()
  expect(congestion.find(free, 3000)?.code).toBe('TOO_MANY_TRANSACTIONS')
})

test('as long as blocks take more than they leave, everything is accepted', () => {
  expect(after(3, 1000, 1000).find(free, 1_000_000)).toBeUndefined()
  expect(createCongestion().find(free, 1_000_000)).toBeUndefined()
})

test('the first block that leaves more than it takes is enough: what comes in a second may fill many blocks', () => {
  expect(after(1, 1000, 2500).find(free, 10_000)?.code).toBe('TOO_MANY_TRANSACTIONS')
})

test('a block that takes nearly all ends the congestion', () => {
  const congestion = after(3, 1000, 2500)
  congestion.onBlock({ transactions: [free, free], timestamp: 104, baseFee: 0n, left: 1 })
  expect(congestion.find(free, 10_000)).toBeUndefined()
})

test('small backlogs are accepted however little a block takes', () => {
  const congestion = after(3, 2, 400)
  expect(congestion.find(free, 999)).toBeUndefined()
  expect(congestion.find(free, 1000)?.code).toBe('TOO_MANY_TRANSACTIONS')
})

test('who pays more than the last block demanded does not wait behind the others', () => {
  const congestion = after(3, 1000, 2500)
  const paying = feeMarketTransfer(3, 0, { maxFee: 9n, maxPriorityFee: 1n })
  expect(congestion.find(paying, 10_000)).toBeUndefined()
})
