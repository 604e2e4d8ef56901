import { expect, test } from 'vitest'
import type { ChainSpec } from '../../forks/chainSpec.ts'
import type { Header } from '../../types/header.ts'
import { isBlockDue, periodAfter } from './blockDue.ts'

const head = { number: 9n, timestamp: 100n } as Header
const bft = (blockPeriodSeconds: number) => ({
  kind: 'qbft',
  blockPeriodSeconds,
  transitions: [],
  successor: undefined,
})
const specOf = (consensus: object) => ({ consensus }) as unknown as ChainSpec

test('a block is due from one period after the head on, for a second', () => {
  const spec = specOf(bft(2))
  expect([101_999, 102_000, 106_999, 107_000].map((now) => isBlockDue(spec, head, now))).toEqual([
    false,
    true,
    true,
    false,
  ])
})

test('blocks of less than a second are not due before the second is over in which their parent was made', () => {
  const spec = specOf({ ...bft(1), blockPeriodMilliseconds: 250 })
  expect(periodAfter(spec, head)).toBe(0.25)
  expect([100_250, 100_999, 101_000].map((now) => isBlockDue(spec, head, now))).toEqual([false, false, true])
})

test('the period is that of the engine which makes the next block', () => {
  const successor = (startBlock: bigint) => ({ startBlock, config: bft(1), epochsFrom: 0n })
  const clique = (startBlock: bigint) =>
    specOf({ kind: 'clique', transitions: [], blockPeriodSeconds: 15, successor: successor(startBlock) })
  expect(isBlockDue(clique(10n), head, 101_000)).toBe(true)
  expect(isBlockDue(clique(11n), head, 101_000)).toBe(false)
  expect(isBlockDue(clique(11n), head, 115_000)).toBe(true)
})

test('nothing is due where blocks are made elsewhere, or as they are wanted', () => {
  expect(isBlockDue(specOf({ kind: 'ethash' }), head, 101_000)).toBe(false)
  expect(isBlockDue(specOf({ kind: 'clique', transitions: [], blockPeriodSeconds: 0 }), head, 101_000)).toBe(false)
})
