import { expect, test } from 'vitest'
import type { Hash32 } from '../primitives/bytes.ts'
import { blankHeader } from '../types/header.ts'
import type { Candidate } from './candidate.ts'
import { createOrphans } from './orphans.ts'

const hash = (n: number) => new Uint8Array(32).fill(n) as Hash32
const block = (n: number, parent: number, size = 10): Candidate => ({
  header: { ...blankHeader, number: BigInt(n), parentHash: hash(parent) },
  hash: hash(n),
  size,
  decode: () => {
    throw new Error('nobody reads it')
  },
  blame: () => {},
})

test('children are given when their parent comes, and those left behind are dropped', () => {
  const orphans = createOrphans()
  for (const one of [block(2, 1), block(3, 2), block(4, 1)]) orphans.add(one)
  expect(orphans.childrenOf(hash(1)).map(({ hash }) => hash[0])).toEqual([2, 4])
  expect(orphans.childrenOf(hash(1))).toEqual([])
  expect(orphans.has(hash(3))).toBe(true)
  orphans.dropBelow(4n)
  expect(orphans.size()).toBe(0)
})

test('neither their number nor their size grows without end', () => {
  const orphans = createOrphans()
  for (let n = 1; n <= 100; n++) orphans.add(block(n, 200))
  expect(orphans.size()).toBe(32)
  expect(orphans.has(hash(100))).toBe(true)
  for (let n = 101; n <= 104; n++) orphans.add(block(n, 200, 6 << 20))
  expect(orphans.size()).toBe(2)
})
