import { expect, test } from 'vitest'
import { createSilentLogs } from '../../../test/support/silentLogs.ts'
import type { ForkId } from '../../forks/forkId.ts'
import type { PeerInfo } from '../protocol.ts'
import { createForkWatch } from './forkWatch.ts'

const prague = 1_800_000_000n
const ours: ForkId = { hash: 7, next: prague }

function watch() {
  const lines: (readonly [object, string])[] = []
  const forks = createForkWatch({ ...createSilentLogs(), warn: (...line) => void lines.push(line) })
  const peerOf = (byte: number) =>
    ({
      ...{ id: new Uint8Array(64).fill(byte), address: new Uint8Array(20).fill(byte), clientId: 'besu/v26.8.0' },
      remote: { ip: '10.0.0.1', port: byte },
    }) as PeerInfo
  return { lines, forks, peerOf }
}

test('a peer that does not know of a fork is told of once, and again when it says something else', () => {
  const { lines, forks, peerOf } = watch()
  for (let i = 0; i < 3; i++) forks.onPeer(peerOf(1), ours, { hash: 7, next: 0n })
  expect(lines).toHaveLength(1)
  expect(lines[0]![0]).toMatchObject({ here: '2027-01-15T08:00:00.000Z', there: 'none', client: 'besu/v26.8.0' })
  forks.onPeer(peerOf(2), ours, { hash: 7, next: 0n })
  forks.onPeer(peerOf(1), ours, { hash: 7, next: prague + 60n })
  expect(lines).toHaveLength(3)
})

test('nothing is said where both expect the same, or one is behind, or forks are by block', () => {
  const { lines, forks, peerOf } = watch()
  forks.onPeer(peerOf(1), ours, ours)
  forks.onPeer(peerOf(1), ours, { hash: 8, next: 0n })
  forks.onPeer(peerOf(1), { hash: 7, next: 100n }, { hash: 7, next: 0n })
  expect(lines).toEqual([])
})

test('a peer that is on other forks is named once', () => {
  const { lines, forks, peerOf } = watch()
  for (let i = 0; i < 2; i++) forks.onOtherFork(peerOf(1), { hash: 7, next: 0n }, { hash: 0xab, next: 5n })
  expect(lines.map(([fields]) => fields)).toEqual([
    expect.objectContaining({ here: '0x00000007/0', there: '0x000000ab/5' }),
  ])
})
