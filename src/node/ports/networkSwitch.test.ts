import { expect, test } from 'vitest'
import type { HashedBlock } from '../../chain/view.ts'
import { type Address, zeroAddress } from '../../primitives/bytes.ts'
import { createNetworkSwitch } from './networkSwitch.ts'

test('a node is alone and in sync until its network is switched on', () => {
  const { switchOn, ...network } = createNetworkSwitch()
  const { sync, broadcastBlock, raiseHeight } = network
  const block = {} as HashedBlock
  const heard: unknown[] = []
  broadcastBlock(block)
  raiseHeight(zeroAddress, 1n)
  sync.onStatus(() => {})()
  expect([sync.status(), sync.isInSync()]).toEqual([undefined, true])

  const status = { startingBlock: 0n, currentBlock: 1n, highestBlock: 9n }
  switchOn({
    sync: { status: () => status, isInSync: () => false, onStatus: () => () => heard.push('stopped') },
    broadcastBlock: (one) => heard.push(one),
    raiseHeight: (address: Address, number) => heard.push([address, number]),
  })
  broadcastBlock(block)
  raiseHeight(zeroAddress, 2n)
  sync.onStatus(() => {})()
  expect([sync.status(), sync.isInSync()]).toEqual([status, false])
  expect(heard).toEqual([block, [zeroAddress, 2n], 'stopped'])
})
