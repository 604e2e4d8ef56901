import { expect, test } from 'vitest'
import type { Hash32 } from '../primitives/bytes.ts'
import type { Header } from '../types/header.ts'
import { checkPeerClock } from './checkPeerClock.ts'

const best = new Uint8Array(32) as Hash32
const start = 1_700_000_000

/** A peer whose newest block is so old, and that makes the next one so many seconds later, on a machine whose clock is ahead by that much. */
function peer(age: number, next: number | undefined, ahead = 0) {
  let time = start
  const headerAt = (number: bigint, timestamp: number) => ({ number, timestamp: BigInt(timestamp) }) as Header
  return {
    best,
    expected: { period: 2, timeout: 4 },
    now: () => (time + ahead) * 1000,
    async pause(milliseconds: number) {
      time += milliseconds / 1000
    },
    async header(block: Hash32 | bigint) {
      if (typeof block !== 'bigint') return headerAt(7n, start - age)
      return next !== undefined && time >= start + next ? headerAt(8n, start + next) : undefined
    },
  }
}

test.each([
  ['a block of now', peer(1, undefined), 'ok', '1 s old'],
  ['a network that was slow for a moment', peer(30, 3), 'ok', 'has made just now'],
  ['a clock that is ahead', peer(1, 1, 45), 'error', '45 s ahead of the blocks that peers make now'],
  ['a clock that is ahead by little more than a period', peer(1, 1, 8), 'error', '8 s ahead'],
  ['a clock that is behind', peer(0, 2, -45), 'error', 'is 45 s ahead of this machine'],
  ['a network that stands still', peer(120, undefined), 'warning', '120 s old, and none came within 12 s'],
  ['blocks on demand', { ...peer(9999, undefined), expected: undefined }, 'ok', '9999 s old'],
] as const)('%s', async (_, parts, level, text) => {
  const checked = await checkPeerClock(parts)
  expect([checked?.level, checked?.text]).toEqual([level, expect.stringContaining(text)])
})

test('a peer that shows no block', async () => {
  expect(await checkPeerClock({ ...peer(1, 1), header: async () => undefined })).toBeUndefined()
})
