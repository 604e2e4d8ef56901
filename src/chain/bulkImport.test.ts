import { expect, test } from 'vitest'
import { createChainStart, makeTransferBlocks, receiver, recordHeads } from '../../test/support/transferChain.ts'

const start = createChainStart()

/** Blocks of another node. */
const makeBlocks = (count: number) => makeTransferBlocks(start(), count)

test('blocks are announced in their order, when they are on disk', async () => {
  const blocks = makeBlocks(12)
  const node = start()
  const seen = recordHeads(node)
  const bulk = await node.chain.openBulk()
  for (let i = 0; i < 12; i += 3) {
    await bulk.ready()
    bulk.importBlocks(blocks.slice(i, i + 3))
  }
  await bulk.end()
  expect(seen).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12])
  expect(node.chain.read((view) => view.stateAt(12n).account(receiver)!.balance)).toBe(12n)
})

test('an invalid block is refused, and those before it are imported', async () => {
  const blocks = makeBlocks(6)
  const bad = { ...blocks[4]!, header: { ...blocks[4]!.header, gasUsed: 1n } }
  const node = start()
  const seen = recordHeads(node)
  const bulk = await node.chain.openBulk()
  bulk.importBlocks(blocks.slice(0, 2))
  expect(() => bulk.importBlocks([blocks[2]!, blocks[3]!, bad])).toThrow()
  await bulk.settle()
  expect(seen).toEqual([1, 2, 3, 4])
  bulk.importBlocks(blocks.slice(4))
  await bulk.end()
  expect(seen).toEqual([1, 2, 3, 4, 5, 6])
})

test('anyone who writes meanwhile finds all blocks, and is announced after them', async () => {
  const blocks = makeBlocks(8)
  const node = start()
  const seen = recordHeads(node)
  const bulk = await node.chain.openBulk()
  bulk.importBlocks(blocks.slice(0, 4))
  expect(node.chain.importBlock(blocks[4]!)).toBe('extended')
  bulk.importBlocks(blocks.slice(5))
  node.chain.setHead(6n)
  expect(node.chain.head().header.number).toBe(6n)
  bulk.importBlocks(blocks.slice(6))
  await bulk.end()
  expect(seen).toEqual([1, 2, 3, 4, 5, 6, 7, 8, -2, 7, 8])
  expect(node.chain.read((view) => view.stateAt(8n).account(receiver)!.balance)).toBe(8n)
})

test('what a listener throws reaches the importer', async () => {
  const blocks = makeBlocks(2)
  const node = start()
  node.chain.onHead(() => {
    throw new Error('on purpose')
  })
  const bulk = await node.chain.openBulk()
  bulk.importBlocks(blocks)
  await expect(bulk.end()).rejects.toThrow('on purpose')
  expect(node.chain.head().header.number).toBe(2n)
  await (await node.chain.openBulk()).end()
})
