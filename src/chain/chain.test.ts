import { afterEach, describe, expect, test } from 'vitest'
import {
  devTx,
  draftBlock,
  makeBlock,
  openTestChain,
  removeFolder,
  type TestChain,
} from '../../test/support/testChain.ts'
import { type Address, equalBytes, type Hash32 } from '../primitives/bytes.ts'
import { fromHex, hexToAddress } from '../primitives/hex.ts'
import { keccak256 } from '../primitives/keccak.ts'
import { privateKeyToAddress } from '../primitives/secp256k1.ts'
import { oneStep } from '../primitives/steps.ts'
import { txHash } from '../types/encodeTx.ts'
import { headerHash } from '../types/header.ts'
import type { HeadEvent } from './events.ts'
import type { ChainView } from './view.ts'

const open: TestChain[] = []
const folders = new Set<string>()

function start(path?: string): TestChain {
  const chain = openTestChain(undefined, path)
  open.push(chain)
  folders.add(chain.path)
  return chain
}

afterEach(async () => {
  for (const chain of open.splice(0)) await chain.close()
  for (const folder of folders) removeFolder(folder)
  folders.clear()
})

const read = <T>({ chain }: TestChain, ask: (view: ChainView) => T): T => chain.read(ask)

const alice = hexToAddress('00000000000000000000000000000000000000aa')
const balance = (chain: TestChain, number: bigint, address: Address = alice) =>
  read(chain, (view) => view.stateAt(number).account(address)?.balance ?? 0n)

/** Init code whose contract emits LOG1 with its call data's first word as topic. */
const logger = fromHex('600a600c600039600a6000f3' + '60003560006000a100')
const topicOf = (n: number) => {
  const topic = new Uint8Array(32)
  topic[31] = n
  return topic as Hash32
}

describe('chain', () => {
  test('blocks are made, kept and found again', async () => {
    const first = start()
    const tx = devTx(0n, { to: alice, value: 5n })
    const block = makeBlock(first.chain, [tx])
    makeBlock(first.chain)
    await open.pop()!.close()
    const again = start(first.path)
    read(again, (view) => {
      expect(view.head.header.number).toBe(2n)
      const found = view.blockAt(1n)!
      expect(found.block).toEqual(block)
      expect(view.headerBy(found.hash)!.header).toEqual(block.header)
      expect(view.findTx(txHash(tx))).toEqual({ blockNumber: 1n, index: 0 })
      expect(view.receipts(found.hash)![0]).toMatchObject({ outcome: 1, gasUsed: 21_000n })
      expect(view.totalDifficulty(found.hash)).toBe(0x10000n + 100n)
      expect(view.hashAt(9n)).toBeUndefined()
    })
    expect(balance(again, 2n)).toBe(5n)
    expect(balance(again, 0n)).toBe(0n)
  })

  test('a block of one node is imported by another', () => {
    const [maker, taker] = [start(), start()]
    for (let i = 0n; i < 5n; i++)
      expect(taker.chain.importBlock(makeBlock(maker.chain, [devTx(i, { to: alice, value: 1n })]))).toBe('extended')
    expect(read(taker, (view) => view.head.hash)).toEqual(read(maker, (view) => view.head.hash))
    expect(balance(taker, 3n)).toBe(3n)
  })

  test('a view is closed after use, also when its user fails', () => {
    const { chain } = start()
    let kept: ChainView | undefined
    const fails = (view: ChainView): never => {
      kept = view
      throw new Error('no')
    }
    expect(() => chain.read(fails)).toThrow('no')
    expect(() => kept!.headerAt(0n)).toThrow('after close')
    expect(chain.read((view) => (kept = view).hashAt(0n))).toEqual(chain.genesis.hash)
    expect(() => kept!.headerAt(0n)).toThrow('after close')
    expect(chain.head()).toMatchObject(chain.genesis)
  })

  test('a block is not produced on what is no longer the head', () => {
    const { chain } = start()
    const late = draftBlock(chain)
    makeBlock(chain)
    expect(() =>
      chain.produce(
        late,
        oneStep(() => []),
      ),
    ).toThrow('PARENT_UNKNOWN')
    expect(chain.head().header.number).toBe(1n)
  })

  test('states before a pruned block are gone, the others stay, and the chain goes on', () => {
    const node = start()
    for (let i = 0n; i < 4n; i++) makeBlock(node.chain, [devTx(i, { to: alice, value: 1n })])
    node.chain.prune(3)
    expect(() => balance(node, 2n)).toThrow('STATE_PRUNED')
    expect([balance(node, 3n), balance(node, 4n)]).toEqual([3n, 4n])
    makeBlock(node.chain, [devTx(4n, { to: alice, value: 1n })])
    expect([balance(node, 3n), balance(node, 5n)]).toEqual([3n, 5n])
  })

  test('a heavier branch replaces the chain in one step, a lighter one waits', () => {
    const [node, other] = [start(), start()]
    const events: HeadEvent[] = []
    node.chain.onHead((event) => events.push(event))
    const mine = makeBlock(node.chain, [devTx(0n, { to: alice, value: 7n })])
    const branch = [0n, 1n].map((nonce) =>
      makeBlock(other.chain, [devTx(nonce, { to: alice, value: 1n })], { extraData: Uint8Array.of(9) }),
    )
    expect(node.chain.importBlock(branch[0]!)).toBe('side')
    expect(balance(node, 1n)).toBe(7n)
    expect(node.chain.importBlock(branch[1]!)).toBe('reorganised')
    expect(balance(node, 2n)).toBe(2n)
    expect(balance(node, 1n)).toBe(1n)
    const event = events.at(-1)!
    expect(event.removed.map(({ hash }) => hash)).toEqual([headerHash(mine.header)])
    expect(event.added.map(({ hash }) => hash)).toEqual(branch.map(({ header }) => headerHash(header)))
    read(node, (view) => {
      expect(view.isCanonical(headerHash(mine.header))).toBe(false)
      expect(view.findTx(txHash(mine.transactions[0]!))).toBeUndefined()
      expect(view.blockBy(headerHash(mine.header))!.block).toEqual(mine)
    })
    expect(node.chain.importBlock(branch[1]!)).toBe('known')
  })

  test('a heavier branch from before the oldest state that is kept is refused with what to do, each time, and is not bad', () => {
    const [node, other] = [start(), start()]
    for (let i = 0n; i < 4n; i++) makeBlock(node.chain, [devTx(i, { to: alice, value: 7n })])
    const branch = Array.from({ length: 6 }, (_, i) => makeBlock(other.chain, [], { extraData: Uint8Array.of(i) }))
    node.chain.prune(2)
    const before = read(node, (view) => view.head.hash)
    for (const block of branch.slice(0, 4)) expect(node.chain.importBlock(block)).toBe('side')
    const advice =
      'a heavier branch leaves this chain after block 0, and the states or blocks before block 2 were deleted (--history-blocks, --block-history): ' +
      'this node cannot change to it. Start with an empty --data-path and keep more, or all'
    for (let i = 0; i < 2; i++) expect(() => node.chain.importBlock(branch[4]!)).toThrow(advice)
    expect(() => node.chain.importBlocks(branch.slice(4))).toThrow(advice)
    expect(read(node, (view) => view.head.hash)).toEqual(before)
    expect(node.chain.badBlocks.all()).toEqual([])
    makeBlock(node.chain, [devTx(4n, { to: alice, value: 1n })])
    expect(balance(node, 5n)).toBe(29n)
  })

  test('a branch with an invalid block changes nothing', () => {
    const [node, other] = [start(), start()]
    makeBlock(node.chain, [devTx(0n, { to: alice, value: 7n })])
    const before = read(node, (view) => view.head.hash)
    const first = makeBlock(other.chain, [devTx(0n, { to: alice, value: 1n })])
    const second = makeBlock(other.chain)
    const wrong = { ...first, header: { ...first.header, stateRoot: keccak256(Uint8Array.of(1)) } }
    const child = { ...second, header: { ...second.header, parentHash: headerHash(wrong.header) } }
    expect(node.chain.importBlock(wrong)).toBe('side')
    expect(() => node.chain.importBlock(child)).toThrow('STATE_ROOT_MISMATCH')
    expect(read(node, (view) => view.head.hash)).toEqual(before)
    expect(balance(node, 1n)).toBe(7n)
    expect(node.chain.badBlocks.find(headerHash(wrong.header))).toBeDefined()
    makeBlock(node.chain, [devTx(1n, { to: alice, value: 1n })])
    expect(balance(node, 2n)).toBe(8n)
  })

  test('invalid blocks are refused, remembered, and leave no trace', () => {
    const [maker, taker] = [start(), start()]
    const block = makeBlock(maker.chain, [devTx(0n, { to: alice, value: 1n })])
    const wrong = (header: Partial<typeof block.header>) => ({ ...block, header: { ...block.header, ...header } })
    expect(() => taker.chain.importBlock(wrong({ gasUsed: 1n }))).toThrow('GAS_USED_MISMATCH')
    expect(() => taker.chain.importBlock(wrong({ gasUsed: 1n }))).toThrow('KNOWN_BAD_BLOCK')
    expect(() => taker.chain.importBlock(wrong({ timestamp: 0n }))).toThrow('TIMESTAMP_NOT_LATER')
    expect(() => taker.chain.importBlock({ ...block, transactions: [] })).toThrow('TRANSACTIONS_ROOT_MISMATCH')
    expect(() => taker.chain.importBlock(wrong({ parentHash: keccak256(Uint8Array.of(3)) }))).toThrow('PARENT_UNKNOWN')
    expect(taker.chain.badBlocks.all()).toHaveLength(3)
    expect(read(taker, (view) => view.head.header.number)).toBe(0n)
  })

  test('of a batch, the blocks before an invalid one stay', () => {
    const [maker, taker] = [start(), start()]
    const blocks = [0n, 1n, 2n].map((nonce) => makeBlock(maker.chain, [devTx(nonce, { to: alice, value: 1n })]))
    const broken = { ...blocks[2]!, header: { ...blocks[2]!.header, gasUsed: 1n } }
    expect(() => taker.chain.importBlocks([blocks[0]!, blocks[1]!, broken])).toThrow('GAS_USED_MISMATCH')
    expect(balance(taker, 2n)).toBe(2n)
    taker.chain.importBlocks(blocks)
    expect(balance(taker, 3n)).toBe(3n)
  })

  test('the head is set back, and the chain grows again from there', () => {
    const node = start()
    for (let i = 0n; i < 4n; i++) makeBlock(node.chain, [devTx(i, { to: alice, value: 1n })])
    node.chain.setHead(1n)
    expect(read(node, (view) => [view.head.header.number, view.hashAt(2n)])).toEqual([1n, undefined])
    makeBlock(node.chain, [devTx(1n, { to: alice, value: 10n })])
    expect(balance(node, 2n)).toBe(11n)
    expect(() => node.chain.setHead(7n)).toThrow('there is no block 7')
  })

  test('logs are found by address, topic and both; reorganised ones are not', () => {
    const node = start()
    makeBlock(node.chain, [devTx(0n, { data: logger })])
    const deployed = contractAddress(node)
    for (let i = 1; i <= 20; i++) makeBlock(node.chain, [devTx(BigInt(i), { to: deployed, data: topicOf(i % 5) })])
    const find = (addresses: Address[], topics: Hash32[][], fromBlock = 0n, toBlock = 100n) =>
      read(node, (view) =>
        [...view.logs({ fromBlock, toBlock, addresses, topics })].map(({ blockNumber }) => Number(blockNumber)),
      )
    expect(find([deployed], [[topicOf(3)]])).toEqual([4, 9, 14, 19])
    expect(find([], [[topicOf(3), topicOf(4)]], 5n, 10n)).toEqual([5, 9, 10])
    expect(find([deployed], [])).toHaveLength(20)
    expect(find([alice], [])).toEqual([])
    expect(find([], [], 3n, 4n)).toEqual([3, 4])
    expect(find([], [[], [topicOf(1)]])).toEqual([])
    node.chain.setHead(10n)
    expect(find([deployed], [[topicOf(3)]])).toEqual([4, 9])
  })
})

function contractAddress(node: TestChain): Address {
  return read(node, (view) => {
    const sender = privateKeyToAddress(fromHex('8f2a55949038a9610f50fb23b5883af3b4ecb3c3bb792cbcefbd1542c692be63'))
    const range = view.stateAt(1n).accountRange(new Uint8Array(32) as Hash32, 100)
    const found = range.entries.find(
      ({ account, address }) =>
        !equalBytes(account.codeHash, keccak256(new Uint8Array(0))) && !equalBytes(address!, sender),
    )
    return found!.address!
  })
}
