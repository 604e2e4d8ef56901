import { afterEach, expect, test } from 'vitest'
import {
  devSpec,
  devTx,
  makeBlock,
  openTestChain,
  removeFolder,
  type TestChain,
} from '../../../test/support/testChain.ts'
import { createEvm } from '../../evm/createEvm.ts'
import { devAccounts } from '../../forks/devGenesis.ts'
import { emptyBytes, equalBytes, type Hash32, zeroHash } from '../../primitives/bytes.ts'
import { fromHex, hexToAddress } from '../../primitives/hex.ts'
import { runSteps } from '../../primitives/steps.ts'
import { createPublicState, type PublicState } from '../../state/publicState.ts'
import { publicState, publicState2 } from '../../store/schema.ts'
import type { Table } from '../../store/table.ts'
import type { Clock } from '../../system/clock.ts'
import { createLoggers } from '../../system/logger.ts'
import { signTx } from '../../types/signTx.ts'
import type { Tx } from '../../types/transaction.ts'
import type { ConsensusEngine } from '../engine.ts'
import { createResync, type Resync } from './resync.ts'

const folders = new Set<string>()
const open: TestChain[] = []

afterEach(async () => {
  for (const node of open.splice(0)) await node.close()
  for (const folder of folders) removeFolder(folder)
  folders.clear()
})

/** Time passes with every look at it, so that a slice has room for one block; actions wait until `step`. */
function createStepClock() {
  const waiting = new Set<() => void>()
  let now = 0
  const clock: Clock = {
    now: () => (now += 25),
    after(_milliseconds, action) {
      waiting.add(action)
      return () => waiting.delete(action)
    },
  }
  return {
    clock,
    /** Runs what waits, once; false when nothing did. */
    step(): boolean {
      const due = [...waiting]
      waiting.clear()
      for (const action of due) action()
      return due.length > 0
    },
  }
}

interface Node extends TestChain {
  readonly states: PublicState
  readonly consensus: ConsensusEngine
  readonly resync: Resync
  readonly lines: string[]
  step(): boolean
}

function start(path?: string, historyBlocks = 0): Node {
  let states!: PublicState
  let consensus!: ConsensusEngine
  const node = openTestChain(undefined, path, (parts) => {
    consensus = parts.consensus
    states = createPublicState(parts.store)
    return { ...parts, states }
  })
  open.push(node)
  folders.add(node.path)
  const { clock, step } = createStepClock()
  const lines: string[] = []
  const log = createLoggers({ level: 'info', pretty: false, color: false, write: (line) => lines.push(line) })
  const { chain, store } = node
  const { spec } = chain
  const createEngineOf = () => createEvm('fast')
  const parts = { spec, store, states, consensus, chain, createEngine: createEngineOf, historyBlocks, clock, log }
  return { ...node, states, consensus, resync: createResync(parts), lines, step }
}

const alice = hexToAddress('00000000000000000000000000000000000000aa')
/** Init code that stores 7 in slot 1 and leaves one byte of code. */
const storing = fromHex('6007600155' + '60016000f3')

function make(node: Node, nonce: bigint) {
  return makeBlock(node.chain, [
    devTx(2n * nonce, { to: alice, value: 1n + nonce }),
    devTx(2n * nonce + 1n, { data: storing }),
  ])
}

/** All rows of the state, wherever it lies, by the names of tables without their set. */
function rowsOf({ store }: Node): string[] {
  const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')
  const rows = store.read((reader) =>
    [publicState, publicState2].map((tables) =>
      Object.entries<Table<Uint8Array, Uint8Array>>({ ...tables }).flatMap(([name, table]) =>
        Array.from(reader.range(table, {}), ([key, value]) => `${name} ${hex(key)} ${hex(value)}`),
      ),
    ),
  )
  expect(rows.filter((set) => set.length > 0)).toHaveLength(1)
  return rows.flat()
}

function balance({ chain }: Node, number: bigint): bigint {
  return chain.read((view) => view.stateAt(number).account(alice)?.balance ?? 0n)
}

/** A transaction of an account that no block touched before. */
function otherTx(): Tx {
  const terms = { type: 0, nonce: 0n, gasPrice: 1000n, gasLimit: 21_000n, data: emptyBytes } as const
  const { chainId } = devSpec
  return signTx({ ...terms, chainId, to: alice, value: 7n }, fromHex(devAccounts[1].privateKey))
}

/** Steps until nothing is left to do. */
function finish(node: Node): void {
  while (node.step());
  expect(node.resync.isRunning()).toBe(false)
}

test('the rebuilt state is the same, row by row, and lies elsewhere', () => {
  const node = start()
  for (let i = 0n; i < 6n; i++) make(node, i)
  const before = rowsOf(node)
  expect(node.resync.start()).toBe(true)
  expect(node.resync.start()).toBe(false)
  finish(node)
  expect(rowsOf(node)).toEqual(before)
  node.store.read((reader) => {
    expect([...reader.range(publicState.accounts, {})]).toEqual([])
    expect([...reader.range(publicState2.accounts, {})]).not.toEqual([])
  })
  // And back again.
  node.resync.start()
  finish(node)
  expect(rowsOf(node)).toEqual(before)
})

test('blocks come, go and are read while it is under way', () => {
  const node = start()
  for (let i = 0n; i < 6n; i++) make(node, i)
  const held = node.chain.openView()
  node.resync.start()
  for (let i = 0; i < 4; i++) node.step()
  expect(balance(node, 6n)).toBe(21n)
  // Blocks that are rebuilt already leave the chain, and another one comes.
  node.chain.setHead(1n)
  make(node, 1n)
  node.step()
  makeBlock(node.chain, [], { extraData: Uint8Array.of(1) })
  finish(node)
  expect(balance(node, 2n)).toBe(3n)
  expect(balance(node, 1n)).toBe(1n)
  // The interpreter does not go on with what it remembers of the old tables.
  make(node, 2n)
  expect(balance(node, 4n)).toBe(6n)
  expect(held.stateAt(6n).account(alice)!.balance).toBe(21n)
  held.close()
})

test('a block that was proposed before the exchange is imported after it, and built on', () => {
  const node = start()
  for (let i = 0n; i < 3n; i++) make(node, i)
  const source = start()
  for (let i = 0n; i < 4n; i++) make(source, i)
  makeBlock(source.chain, [otherTx()])
  const [fourth, fifth] = source.chain.read((view) => [view.blockAt(4n)!.block, view.blockAt(5n)!.block] as const)
  runSteps(node.chain.verify(fourth))
  node.resync.start()
  finish(node)
  expect(node.chain.importBlock(fourth)).toBe('extended')
  expect(node.chain.importBlock(fifth)).toBe('extended')
  expect(balance(node, 5n)).toBe(10n + 7n)
})

test('a process that ends in the middle leaves the old state, and the next one tidies up', async () => {
  const node = start()
  for (let i = 0n; i < 6n; i++) make(node, i)
  const before = rowsOf(node)
  node.resync.start()
  for (let i = 0; i < 4; i++) node.step()
  await open.pop()!.close()
  const again = start(node.path)
  expect(balance(again, 6n)).toBe(21n)
  again.store.read((reader) => expect(again.states.spare(reader).head(reader)?.block).toBeGreaterThan(0))
  finish(again)
  expect(rowsOf(again)).toEqual(before)
})

test('a state that blocks do not lead to stays, and the fault is told', () => {
  const node = start()
  for (let i = 0n; i < 3n; i++) make(node, i)
  const before = rowsOf(node)
  const consensus = { ...node.consensus, reward: () => 1n }
  const { clock, step } = createStepClock()
  const log = createLoggers({ level: 'info', pretty: false, color: false, write: (line) => node.lines.push(line) })
  const { chain, store, states } = node
  const engine = () => createEvm('fast')
  const resync = createResync({
    spec: chain.spec,
    store,
    states,
    consensus,
    chain,
    createEngine: engine,
    historyBlocks: 0,
    clock,
    log,
  })
  resync.start()
  while (step());
  expect(resync.isRunning()).toBe(false)
  expect(node.lines.join('')).toMatch(/STATE_ROOT_MISMATCH/)
  expect(rowsOf(node)).toEqual(before)
})

test('states that are not kept are not kept in the rebuilt one either', () => {
  const node = start(undefined, 2)
  for (let i = 0n; i < 6n; i++) make(node, i)
  node.resync.start()
  finish(node)
  expect(balance(node, 4n)).toBe(10n)
  expect(() => balance(node, 3n)).toThrow(/STATE_PRUNED/)
})

test('a block is replayed wholly or not at all', () => {
  const node = start()
  for (let i = 0n; i < 4n; i++) make(node, i)
  const hashes = headsOf(node)
  const events: [added: number, removed: number][] = []
  node.chain.onHead(({ added, removed }) => events.push([added.length, removed.length]))
  node.chain.replayBlock(2n)
  expect(headsOf(node)).toEqual(hashes.slice(0, 3))
  expect(balance(node, 2n)).toBe(3n)
  expect(events).toEqual([[1, 3]])
  for (const number of [0n, 3n, 9n]) expect(() => node.chain.replayBlock(number)).toThrow(/there is no block/)
  expect(equalBytes(headsOf(node).at(-1)!, hashes[2]!)).toBe(true)
})

function headsOf({ chain }: Node): Hash32[] {
  return chain.read((view) => {
    const count = Number(view.head.header.number) + 1
    return Array.from({ length: count }, (_, i) => view.hashAt(BigInt(i)) ?? zeroHash)
  })
}
