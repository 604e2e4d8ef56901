import { parseEnode } from '../../../src/net/enode.ts'
import { encodeNewBlock } from '../../../src/net/eth/newBlock.ts'
import type { Hash32 } from '../../../src/primitives/bytes.ts'
import type { Block } from '../../../src/types/block.ts'
import { type DevNode, eventually } from '../../support/devNode.ts'
import { keyNumber } from '../../support/netHarness.ts'
import { callNode } from '../../support/rlpxCaller.ts'
import { devTx, makeBlock, openTestChain, removeFolder } from '../../support/testChain.ts'
import { initCodes } from './contracts.ts'

/** A first block of the development network whose state root is wrong. */
async function badBlock(): Promise<Block> {
  const { chain, path, close } = openTestChain()
  const block = makeBlock(chain, [devTx(0n, { data: initCodes.vanishing })])
  await close()
  removeFolder(path)
  return { ...block, header: { ...block.header, stateRoot: new Uint8Array(32).fill(0xbb) as Uint8Array as Hash32 } }
}

/** Lets one stranger offer a bad block, and another one stay connected; gives a function that lets it go. */
export async function bringStrangers(node: DevNode): Promise<() => void> {
  const enode = parseEnode(await node.call<string>('net_enode'))
  const liar = callNode(keyNumber(1), enode)
  await liar.greet()
  liar.send('newBlock', encodeNewBlock(await badBlock(), 65_636n))
  await eventually(async () => (await node.call<readonly unknown[]>('debug_getBadBlocks'))[0] ?? null)
  liar.close()
  await eventually(async () => ((await node.call('net_peerCount')) === '0x0' ? true : null))
  const guest = callNode(keyNumber(2), enode)
  await guest.greet()
  await eventually(async () => ((await node.call('net_peerCount')) === '0x1' ? true : null))
  return guest.close
}
