import { expect } from 'vitest'
import { hexToAddress } from '../../src/primitives/hex.ts'
import type { Block } from '../../src/types/block.ts'
import { closedAfterEach } from './closedAfterEach.ts'
import { devTx, makeBlock, openTestChain, removeFolder, type TestChain } from './testChain.ts'

/** Gets a wei in each block of `makeTransferBlocks`. */
export const receiver = hexToAddress('00000000000000000000000000000000000000aa')

/** Opens chains that are gone when the test is over. To be called once by a file of tests. */
export function createChainStart(): () => TestChain {
  return closedAfterEach(() => {
    const opened = openTestChain()
    return {
      ...opened,
      async close() {
        await opened.close()
        removeFolder(opened.path)
      },
    }
  })
}

/** Makes blocks with a transfer each. */
export function makeTransferBlocks({ chain }: TestChain, count: number): Block[] {
  return Array.from({ length: count }, (_, i) => makeBlock(chain, [devTx(BigInt(i), { to: receiver, value: 1n })]))
}

/** Numbers of the blocks that are announced, negative for how many are removed; of each, whether readers see it then is checked. */
export function recordHeads({ chain }: TestChain): number[] {
  const seen: number[] = []
  chain.onHead(({ head, added, removed }) => {
    for (const { hash } of added) expect(chain.read((view) => view.headerBy(hash))).toBeDefined()
    if (added.length > 0) expect(head.hash).toEqual(added.at(-1)!.hash)
    seen.push(removed.length > 0 ? -removed.length : Number(head.header.number))
  })
  return seen
}
