import { expect, test } from 'vitest'
import type { HashedBlock } from '../../chain/view.ts'
import { type Address, zeroAddress } from '../../primitives/bytes.ts'
import { createNetworkSwitch } from './networkSwitch.ts'

test('a node is alone and in sync until its network is switched on', () => {
  const { switchOn, ...network } = createNetworkSwitch()
  const { sync, broadcastBlock } = network
  const block = {} as HashedBlock
  const seen: unknown[] = []
  broadcastBlock(block)
  sync.probe(zeroAddress)
  sync.onStatus(() => {})()
  expect([sync.status(), sync.isCatchingUp()]).toEqual([undefined, false])

  const status = { startingBlock: 0n, currentBlock: 1n, highestBlock: 9n }
  switchOn({
    sync: {
      status: () => status,
      isCatchingUp: () => true,
      standing: () => 'level' as const,
      onStatus: () => () => seen.push('stopped'),
      probe: (address: Address) => seen.push(address),
    },
    broadcastBlock: (one) => seen.push(one),
  })
  broadcastBlock(block)
  sync.probe(zeroAddress)
  sync.onStatus(() => {})()
  expect([sync.status(), sync.isCatchingUp()]).toEqual([status, true])
  expect(seen).toEqual([block, zeroAddress, 'stopped'])
})
