import { expect, test } from 'vitest'
import { createRecordedLogs } from '../../../test/support/recordedLogs.ts'
import type { Chain } from '../../chain/chain.ts'
import type { ChainView } from '../../chain/view.ts'
import type { Hash32 } from '../../primitives/bytes.ts'
import { decodeRlp, encodeRlp, rlpBytes, rlpList, scalar } from '../../primitives/rlp.ts'
import { createAnswers } from './answers.ts'

const mib = 1 << 20

/** The sizes of the bodies that a peer gets which asks for some of these sizes. */
function answer(bodies: readonly number[]): { sizes: number[]; length: number; lines: string } {
  const logs = createRecordedLogs()
  const view = {
    encodedBody: (hash: Hash32) => encodeRlp(new Uint8Array(bodies[hash[0]!]!)),
  } as unknown as ChainView
  const chain: Pick<Chain, 'read'> = { read: (action) => action(view) }
  const answers = createAnswers({ chain, pool: { get: () => undefined }, log: logs })
  const hashes = bodies.map((_, i) => new Uint8Array(32).fill(i) as Hash32)
  const { payload } = answers('getBlockBodies', encodeRlp([scalar(7), hashes]))
  const items = rlpList(rlpList(decodeRlp(payload))[1])
  return { sizes: items.map((item) => rlpBytes(item).length), length: payload.length, lines: logs.lines().join('\n') }
}

test('an answer ends with the item that makes two MiB', () => {
  expect(answer([mib, mib, mib, mib]).sizes).toEqual([mib, mib])
})

test('an item that would make the answer larger than ten MiB goes alone', () => {
  expect(answer([mib, 9.5 * mib, mib]).sizes).toEqual([mib])
  expect(answer([9.5 * mib, mib]).sizes).toEqual([9.5 * mib])
  expect(answer([mib, 8.9 * mib]).length).toBeLessThanOrEqual(10 * mib)
})

test('an item that fits into no message is left out, and said', () => {
  const { sizes, lines } = answer([16 * mib, mib])
  expect(sizes).toEqual([mib])
  expect(lines).toContain('no message carries what a peer asks for')
  const alone = answer([16 * mib - 100, mib])
  expect(alone.sizes).toEqual([16 * mib - 100])
  expect(alone.length).toBeLessThan(0xffffff)
})
