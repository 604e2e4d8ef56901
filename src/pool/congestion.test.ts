import { expect, test } from 'vitest'
import { feeMarketTransfer, transfer } from '../../test/support/poolFixtures.ts'
import type { Tx } from '../types/transaction.ts'
import { createCongestion } from './congestion.ts'

const transfers = (count: number) => Array.from({ length: count }, (_, i) => transfer(1, i, 0n))

/** A congestion after blocks of `count` free transactions, one every `period` seconds, that leave `left` in the pool. */
function after(blocks: number, count: number, left: number, period = 1) {
  const congestion = createCongestion()
  const transactions = transfers(count)
  for (let i = 0; i < blocks; i++) {
    const timestamp = 100 + i * period
    congestion.onBlock({ transactions, timestamp, baseFee: 0n, left, period, now: timestamp * 1000 })
  }
  const now = (100 + (blocks - 1) * period) * 1000
  return { congestion, find: (tx: Tx, backlog: number, at = now) => congestion.admit(tx, { backlog, now: at }) }
}

const free = transfer(2, 0, 0n)
const paying = feeMarketTransfer(3, 0, { maxFee: 9n, maxPriorityFee: 1n })

test('a backlog of two seconds is accepted, a longer one is refused with the time to wait', () => {
  const { find } = after(3, 1000, 1500)
  expect(find(free, 1999)).toBeUndefined()
  expect(find(free, 2000)).toEqual({ code: 'TOO_MANY_TRANSACTIONS', retryAfter: 1 })
  expect(find(free, 6500)).toEqual({ code: 'TOO_MANY_TRANSACTIONS', retryAfter: 5 })
})

test('with long periods the backlog may be two blocks', () => {
  const { find } = after(5, 1000, 1500, 10)
  expect(find(free, 1500)).toBeUndefined()
  expect(find(free, 3000)?.code).toBe('TOO_MANY_TRANSACTIONS')
})

test('as long as blocks take more than they leave, bursts are accepted', () => {
  expect(after(3, 1000, 1000).find(free, 4095)).toBeUndefined()
  expect(after(3, 0, 0).find(free, 4095)).toBeUndefined()
  expect(after(3, 0, 0, 5).find(free, 4095 * 5)).toBeUndefined()
  expect(createCongestion().admit(free, { backlog: 1_000_000, now: 1e9 })).toBeUndefined()
})

test('a burst that nobody knows to be minable ends at 4,096 for each second of the period, or at twice the last block', () => {
  expect(after(3, 0, 0).find(free, 4096)).toEqual({ code: 'TOO_MANY_TRANSACTIONS', retryAfter: 1 })
  expect(after(3, 0, 0, 5).find(free, 4096 * 5)?.code).toBe('TOO_MANY_TRANSACTIONS')
  expect(after(3, 5000, 0).find(free, 9999)).toBeUndefined()
  expect(after(3, 5000, 0).find(free, 10_000)?.code).toBe('TOO_MANY_TRANSACTIONS')
})

test('the first block that leaves more than it takes is enough: what comes in a second may fill many blocks', () => {
  expect(after(1, 1000, 2500).find(free, 10_000)?.code).toBe('TOO_MANY_TRANSACTIONS')
})

test('five blocks in a row that take more than they leave end the congestion, one does not', () => {
  const { congestion, find } = after(3, 1000, 2500)
  let timestamp = 103
  function mine(count: number, left: number): void {
    const now = timestamp * 1000
    congestion.onBlock({ transactions: transfers(count), timestamp: timestamp++, baseFee: 0n, left, period: 1, now })
  }
  const isRefused = () => find(free, 4000, timestamp * 1000) !== undefined
  for (let i = 0; i < 4; i++) mine(2, 1)
  expect(isRefused()).toBe(true)
  // Of a proposer that has not heard of what the others have: calm has not begun.
  mine(0, 2500)
  for (let i = 0; i < 4; i++) mine(2, 1)
  expect(isRefused()).toBe(true)
  mine(2, 1)
  expect(isRefused()).toBe(false)
})

test('where blocks come only when there are transactions, the time of five blocks ends the congestion', () => {
  const { congestion, find } = after(3, 1000, 2500)
  congestion.onBlock({ transactions: transfers(1000), timestamp: 103, baseFee: 0n, left: 0, period: 1, now: 103_000 })
  expect(find(free, 0, 107_999)).toBeUndefined()
  expect(find(free, 4000, 107_999)?.code).toBe('TOO_MANY_TRANSACTIONS')
  expect(find(free, 0, 108_000)).toBeUndefined()
  expect(find(free, 4000, 108_000)).toBeUndefined()
})

test('several blocks with the same time show how much is mined in a second', () => {
  const congestion = createCongestion()
  for (let i = 0; i < 6; i++)
    congestion.onBlock({
      transactions: transfers(250),
      timestamp: 100 + (i >> 2),
      baseFee: 0n,
      left: 600,
      period: 0.25,
      now: 100_000 + 250 * i,
    })
  const find = (backlog: number) => congestion.admit(free, { backlog, now: 101_250 })
  expect(find(1999)).toBeUndefined()
  expect(find(2000)?.code).toBe('TOO_MANY_TRANSACTIONS')
})

test('small blocks in a congestion do not say that less is mined', () => {
  const { congestion, find } = after(3, 1000, 2500)
  congestion.onBlock({ transactions: transfers(10), timestamp: 103, baseFee: 0n, left: 5, period: 1, now: 103_000 })
  expect(find(free, 1900, 103_000)).toBeUndefined()
})

test('small backlogs are accepted however little a block takes', () => {
  const { find } = after(3, 2, 40)
  expect(find(free, 199)).toBeUndefined()
  expect(find(free, 200)?.code).toBe('TOO_MANY_TRANSACTIONS')
})

test('who pays more than the last block demanded does not wait behind the others', () => {
  expect(after(3, 1000, 2500).find(paying, 10_000)).toBeUndefined()
})

test('while no block comes for two periods, two seconds of the last ones are accepted', () => {
  const { find } = after(3, 200, 100)
  expect(find(free, 4000, 104_000)).toBeUndefined()
  expect(find(free, 399, 104_001)).toBeUndefined()
  expect(find(free, 400, 104_001)?.code).toBe('TOO_MANY_TRANSACTIONS')
})

test('where blocks come only when there are transactions, a block is not late before there are some', () => {
  const { find } = after(3, 0, 0)
  expect(find(free, 0, 500_000)).toBeUndefined()
  expect(find(free, 4000, 502_000)).toBeUndefined()
  expect(find(free, 4000, 502_001)?.code).toBe('TOO_MANY_TRANSACTIONS')
})

test('until the next block, users of a node get their share of the room, and at least a quarter', () => {
  function roomOf(own: number, others: number): number {
    const { congestion, find } = after(3, 1000, 1500)
    for (let i = 0; i < own; i++) congestion.onAdded(true)
    for (let i = 0; i < others; i++) congestion.onAdded(false)
    congestion.onBlock({
      transactions: transfers(1000),
      timestamp: 103,
      baseFee: 0n,
      left: 1000,
      period: 1,
      now: 103_000,
    })
    let admitted = 0
    while (admitted < 5000 && !find(free, 1000, 103_000)) admitted++
    return admitted
  }
  expect(roomOf(0, 0)).toBe(1000)
  expect(roomOf(100, 0)).toBe(1000)
  expect(roomOf(100, 100)).toBe(500)
  expect(roomOf(1, 1000)).toBe(250)
})

test('a transaction that needs an earlier one is refused until five blocks after the last refusal', () => {
  const { congestion, find } = after(3, 1000, 2500)
  expect(congestion.findGapFault()).toBeUndefined()
  find(free, 10_000)
  for (let i = 0; i < 5; i++) {
    expect(congestion.findGapFault()).toEqual({ code: 'TOO_MANY_TRANSACTIONS', retryAfter: 1 })
    congestion.onBlock({ transactions: [], timestamp: 103 + i, baseFee: 0n, left: 0, period: 1, now: 103_000 + i })
  }
  expect(congestion.findGapFault()).toBeUndefined()
})

/** Nodes whose users offer more than is mined; each hears of what the others have accepted `lag` milliseconds later. */
function overload(nodes: number, offered: number, capacity: number, lag: number) {
  const congestions = Array.from({ length: nodes }, createCongestion)
  const accepted: { readonly at: number; readonly node: number; heard: boolean }[] = []
  const waits: number[] = []
  let full = 0
  const step = 50
  const seconds = 30
  const block = transfers(capacity)
  for (let now = 0; now < seconds * 1000; now += step) {
    const late = accepted.filter(({ heard, at }) => !heard && at + lag <= now)
    for (const one of late) {
      one.heard = true
      for (const [i, congestion] of congestions.entries()) if (i !== one.node) congestion.onAdded(false)
    }
    const backlogOf = (node: number) => accepted.filter((one) => one.heard || one.node === node).length
    if (now % 1000 === 0) {
      const mined = accepted.splice(0, capacity)
      for (const { at } of mined) waits.push(now - at)
      if (mined.length === capacity) full++
      const transactions = block.slice(0, mined.length)
      for (const [i, congestion] of congestions.entries())
        congestion.onBlock({ transactions, timestamp: now / 1000, baseFee: 0n, left: backlogOf(i), period: 1, now })
    }
    for (const [node, congestion] of congestions.entries()) {
      let backlog = backlogOf(node)
      for (let i = 0; i < (offered * step) / 1000 / nodes; i++) {
        if (congestion.admit(free, { backlog, now })) continue
        accepted.push({ at: now, node, heard: false })
        congestion.onAdded(true)
        backlog++
      }
    }
  }
  waits.sort((a, b) => a - b)
  return { fullBlocks: full, median: waits[waits.length >> 1]! }
}

test.each([
  ['four nodes', 4, 1200, 300, 1500],
  ['one node', 1, 1200, 300, 0],
  ['a slow network', 4, 1200, 100, 1500],
  ['many times what is mined', 4, 4800, 300, 1500],
])('blocks are full and nobody waits long: %s', (_, nodes, offered, capacity, lag) => {
  const { fullBlocks, median } = overload(nodes, offered, capacity, lag)
  expect(fullBlocks).toBeGreaterThanOrEqual(28)
  expect(median).toBeLessThan(5000)
})

test('large transactions count as several', () => {
  const congestion = createCongestion()
  const transactions = Array.from({ length: 10 }, (_, i) => transfer(1, i, 0n, { data: new Uint8Array(204_800) }))
  for (let i = 0; i < 3; i++)
    congestion.onBlock({ transactions, timestamp: 100 + i, baseFee: 0n, left: 1500, period: 1, now: (100 + i) * 1000 })
  const find = (backlog: number) => congestion.admit(free, { backlog, now: 102_000 })
  // Each block had the work of a thousand transfers, and a little more.
  expect(find(2000)).toBeUndefined()
  expect(find(2010)?.code).toBe('TOO_MANY_TRANSACTIONS')
})
