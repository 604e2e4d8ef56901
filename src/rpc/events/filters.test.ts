import { expect, test } from 'vitest'
import { devTx, makeBlock, openTestChain, removeFolder } from '../../../test/support/testChain.ts'
import type { HeadEvent } from '../../chain/events.ts'
import type { ChainView, HashedBlock } from '../../chain/view.ts'
import type { Address, Hash32 } from '../../primitives/bytes.ts'
import { fromHex, toHex } from '../../primitives/hex.ts'
import { keccak256 } from '../../primitives/keccak.ts'
import { encodeRlp, scalar } from '../../primitives/rlp.ts'
import { senderOf } from '../../types/signTx.ts'
import { filterOptions } from '../codecs/filterOptions.ts'
import { createFilters, type FilterLimits } from './filters.ts'

const minute = 60_000
const hashOf = (n: number) => new Uint8Array(32).fill(n) as Hash32

function head(added: readonly number[], removed: readonly number[] = []): HeadEvent {
  const block = (n: number) => ({ hash: hashOf(n), header: { number: BigInt(n) } }) as unknown as HashedBlock
  return { head: block(added.at(-1)!), added: added.map(block), removed: removed.map(block) }
}

function start(limits?: FilterLimits) {
  let now = 0
  const filters = createFilters(() => now, limits)
  return { filters, at: (time: number) => (now = time) }
}

/** Only log filters look at the chain. */
const chain = {} as ChainView
const idText = (id: bigint) => `0x${id.toString(16)}`

test('block and pending filters give what came since the last poll', () => {
  const { filters } = start()
  const blocks = idText(filters.addBlocks())
  const pending = idText(filters.addPending())
  filters.onHead(head([1]))
  filters.onHead(head([3], [1]))
  filters.onPending(hashOf(9))
  expect(filters.changes(blocks, chain)).toEqual({ hashes: [hashOf(1), hashOf(3)] })
  expect(filters.changes(blocks, chain)).toEqual({ hashes: [] })
  expect(filters.changes(pending, chain)).toEqual({ hashes: [hashOf(9)] })
})

test('an id is a number: zeros in front and case do not matter', () => {
  const { filters } = start()
  const digits = filters.addBlocks().toString(16)
  expect(filters.changes(`0x000${digits.toUpperCase()}`, chain)).toBeDefined()
  expect(filters.changes(digits, chain)).toBeDefined()
  expect(filters.remove(`0x${digits}`)).toBe(true)
  expect(filters.remove(`0x${digits}`)).toBe(false)
  expect(filters.changes(digits, chain)).toBeUndefined()
})

test('a filter ends ten minutes after it was last asked', () => {
  const { filters, at } = start()
  const id = idText(filters.addBlocks())
  at(10 * minute)
  expect(filters.changes(id, chain)).toBeDefined()
  at(20 * minute)
  expect(filters.changes(id, chain)).toBeDefined()
  at(30 * minute + 1)
  expect(filters.changes(id, chain)).toBeUndefined()
})

test('sweeping removes what has ended and leaves the rest', () => {
  const { filters, at } = start()
  const old = filters.addBlocks()
  at(9 * minute)
  const young = filters.addBlocks()
  filters.sweep(10 * minute + 1)
  expect(filters.remove(idText(old))).toBe(false)
  expect(filters.remove(idText(young))).toBe(true)
})

test('a filter too many is refused, and takes the place of one that nobody has asked for a minute', () => {
  const { filters, at } = start()
  const polled = idText(filters.addBlocks())
  const forgotten = idText(filters.addBlocks())
  for (let i = 2; i < 10_000; i++) filters.addPending()
  expect(() => filters.addBlocks()).toThrow('TOO_MANY_FILTERS')
  at(minute + 1)
  expect(filters.changes(polled, chain)).toBeDefined()
  filters.addBlocks()
  expect(filters.remove(forgotten)).toBe(false)
  expect(filters.remove(polled)).toBe(true)
})

test('the operator says how many filters there may be, and for how long', () => {
  const { filters, at } = start({ lifetime: 5000, maxFilters: 2 })
  const first = filters.addBlocks()
  filters.addPending()
  expect(() => filters.addBlocks()).toThrow('TOO_MANY_FILTERS')
  at(5001)
  expect(filters.changes(idText(first), chain)).toBeUndefined()
  filters.addBlocks()
  const { filters: endless } = start({ lifetime: 5000, maxFilters: 0 })
  for (let i = 0; i < 20_000; i++) endless.addPending()
})

test('the addresses and topics of all filters have a limit', () => {
  const { filters, at } = start()
  const large = filterOptions.decode({ address: Array<string>(1000).fill('0x01') })
  const first = filters.addLogs(large)
  for (let i = 1; i < 100; i++) filters.addLogs(large)
  expect(() => filters.addLogs(large)).toThrow('TOO_MANY_FILTERS')
  filters.addBlocks()
  filters.remove(idText(first))
  filters.addLogs(large)
  expect(() => filters.addLogs(large)).toThrow('TOO_MANY_FILTERS')
  at(minute + 1)
  filters.addLogs(large)
})

test('a filter that falls too far behind ends; others give all that came', () => {
  const { filters } = start()
  const behind = idText(filters.addPending())
  for (let n = 0; n < 60_000; n++) filters.onPending(hashOf(1))
  const other = idText(filters.addPending())
  for (let n = 0; n < 45_000; n++) filters.onPending(hashOf(2))
  expect(filters.changes(behind, chain)).toBeUndefined()
  expect(filters.remove(behind)).toBe(false)
  expect(filters.changes(other, chain)).toMatchObject({ hashes: { length: 45_000 } })
  expect(filters.changes(other, chain)).toEqual({ hashes: [] })
})

test('a log filter has options, others have none', () => {
  const { filters } = start()
  const options = filterOptions.decode({})
  expect(filters.logOptions(idText(filters.addLogs(options)))).toBe(options)
  expect(filters.logOptions(idText(filters.addBlocks()))).toBeUndefined()
})

/** Logs 42 under the topic that it is called with. */
const logger = fromHex('600e600c600039600e6000f3602a60005260003560206000a100')
const topic = hashOf(0xab)

test('logs come with their blocks and leave with them', async () => {
  const [here, there] = [openTestChain(), openTestChain()]
  const { filters } = start()
  const deployment = devTx(0n, { data: logger })
  const address = keccak256(encodeRlp([senderOf(deployment)!, scalar(0n)])).subarray(12) as Address
  const call = devTx(1n, { to: address, data: topic })
  const wanted = idText(filters.addLogs(filterOptions.decode({ address: toHex(address) })))
  const until = idText(filters.addLogs(filterOptions.decode({ address: toHex(address), toBlock: '0x2' })))
  const never = idText(filters.addLogs(filterOptions.decode({ topics: [[]] })))
  const stop = here.chain.onHead(filters.onHead)
  there.chain.importBlock(makeBlock(here.chain, [deployment]))
  makeBlock(here.chain, [call])
  // A longer branch on which the call comes one block later.
  for (const block of [makeBlock(there.chain, [], { timestamp: 1_900_000_000n }), makeBlock(there.chain, [call])])
    here.chain.importBlock(block)
  const view = here.chain.openView()
  const shown = (id: string) => {
    const changes = filters.changes(id, view)!
    return 'logs' in changes ? changes.logs.map(({ blockNumber, removed }) => [blockNumber, removed]) : []
  }
  expect(shown(wanted)).toEqual([
    [2n, false],
    [2n, true],
    [3n, false],
  ])
  expect(shown(wanted)).toEqual([])
  expect(shown(until)).toEqual([
    [2n, false],
    [2n, true],
  ])
  expect(shown(never)).toEqual([])
  stop()
  view.close()
  for (const { close, path } of [here, there]) {
    await close()
    removeFolder(path)
  }
})
