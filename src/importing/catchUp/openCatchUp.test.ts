import { expect, test } from 'vitest'
import { makeBlock, type TestChain } from '../../../test/support/testChain.ts'
import { createChainStart, makeTransferBlocks, receiver, recordHeads } from '../../../test/support/transferChain.ts'
import { createMainnetEngine } from '../../consensus/mainnet/mainnetEngine.ts'
import { createDevGenesis } from '../../forks/devGenesis.ts'
import type { BlockImporter } from '../../sync/blockImporter.ts'
import type { Block } from '../../types/block.ts'
import { openCatchUp } from './openCatchUp.ts'

const start = createChainStart()

/** Blocks of another node. */
const makeBlocks = (count: number) => makeTransferBlocks(start(), count)

const genesis = JSON.stringify(createDevGenesis('london'))

function openCatchUpOf({ chain, store, path }: TestChain, text = genesis): Promise<BlockImporter> {
  return openCatchUp(
    {
      chain: { dataPath: path, keepRevertReasons: false, checkWork: false },
      genesis: { path: 'genesis.json', text },
      networkId: undefined,
      accountsContract: undefined,
    },
    { chain, consensus: createMainnetEngine({ spec: chain.spec }), owner: store.owner!, log: { warn() {} } },
  )
}

const balance = ({ chain }: TestChain, number: bigint) =>
  chain.read((view) => view.stateAt(number).account(receiver)!.balance)

test('blocks are announced in their order, when they are on disk', async () => {
  const blocks = makeBlocks(12)
  const node = start()
  const seen = recordHeads(node)
  const importer = await openCatchUpOf(node)
  await Promise.all([0, 3, 6, 9].map((i) => importer.importBlocks(blocks.slice(i, i + 3))))
  await importer.end()
  expect(seen).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12])
  expect(balance(node, 12n)).toBe(12n)
})

test('an invalid block is refused and listed as bad, those before it are imported, and nothing after it', async () => {
  const blocks = makeBlocks(7)
  const bad = { ...blocks[4]!, header: { ...blocks[4]!.header, gasUsed: 1n } }
  const node = start()
  const seen = recordHeads(node)
  const importer = await openCatchUpOf(node)
  const first = importer.importBlocks([...blocks.slice(0, 4), bad])
  const second = importer.importBlocks(blocks.slice(4))
  await expect(first).rejects.toMatchObject({ name: 'BlockError' })
  await expect(second).rejects.toMatchObject({ name: 'BlockError' })
  expect(node.chain.head().header.number).toBe(4n)
  await importer.end()
  expect(seen).toEqual([1, 2, 3, 4])
  expect(node.chain.badBlocks.all().map(({ block }) => block.header.number)).toEqual([5n])
})

test('a branch from before the oldest state that is kept is refused by name, and is not listed as bad', async () => {
  const [node, other] = [start(), start()]
  for (let i = 0; i < 4; i++) makeBlock(node.chain)
  const branch = Array.from({ length: 5 }, (_, i) => makeBlock(other.chain, [], { extraData: Uint8Array.of(i) }))
  node.chain.prune(2)
  const importer = await openCatchUpOf(node)
  const error = await importer.importBlocks(branch).catch((thrown) => thrown)
  await importer.end()
  expect(error).toMatchObject({ name: 'ChainError', at: { code: 'BRANCH_TOO_DEEP', base: 0, floor: 2 } })
  expect(node.chain.badBlocks.all()).toEqual([])
})

test('anyone who writes meanwhile finds all blocks that were written, and is announced after them', async () => {
  const blocks = makeBlocks(8)
  const node = start()
  const seen = recordHeads(node)
  const importer = await openCatchUpOf(node)
  await importer.importBlocks(blocks.slice(0, 4))
  expect(node.chain.importBlock(blocks[4]!)).toBe('extended')
  await importer.importBlocks(blocks.slice(5))
  node.chain.setHead(6n)
  expect(node.chain.head().header.number).toBe(6n)
  await importer.importBlocks(blocks.slice(6))
  await importer.end()
  expect(seen).toEqual([1, 2, 3, 4, 5, 6, 7, 8, -2, 7, 8])
  expect(balance(node, 8n)).toBe(8n)
})

test('many writes one at a time, while blocks come, lose nothing', async () => {
  const blocks = makeBlocks(40)
  const node = start()
  const seen = recordHeads(node)
  const importer = await openCatchUpOf(node)
  const all = Array.from({ length: 20 }, (_, i) => importer.importBlocks(blocks.slice(2 * i, 2 * i + 2)))
  for (let i = 0; i < 100; i++) {
    node.chain.setMark('safe', node.chain.head().hash)
    node.chain.prune(0)
    if (i % 10 === 0) await new Promise(setImmediate)
  }
  await Promise.all(all)
  await importer.end()
  expect(seen).toEqual(blocks.map(({ header }) => Number(header.number)))
  expect(balance(node, 40n)).toBe(40n)
  expect(node.chain.importBlock(makeNext(blocks))).toBe('extended')
})

/** The block after those of `makeBlocks`. */
function makeNext(blocks: readonly Block[]): Block {
  const { chain } = start()
  chain.importBlocks(blocks)
  return makeBlock(chain)
}

test('what a listener throws reaches the importer', async () => {
  const blocks = makeBlocks(2)
  const node = start()
  node.chain.onHead(() => {
    throw new Error('on purpose')
  })
  const importer = await openCatchUpOf(node)
  // The one that waits when it becomes known.
  const ends = await Promise.allSettled([importer.importBlocks(blocks), importer.end()])
  expect(ends.flatMap((end) => (end.status === 'rejected' ? end.reason : []))).toEqual([new Error('on purpose')])
  expect(node.chain.head().header.number).toBe(2n)
  await (await openCatchUpOf(node)).end()
})

test('a thread that cannot start says why', async () => {
  const node = start()
  await expect(openCatchUpOf(node, 'not JSON')).rejects.toThrow('genesis.json')
  node.chain.setMark('safe', node.chain.genesis.hash)
})
