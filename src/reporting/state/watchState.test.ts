import { beforeEach, expect, test } from 'vitest'
import { createManualClock, type ManualClock } from '../../../test/support/manualClock.ts'
import { createRecordedLogs, type RecordedLogs } from '../../../test/support/recordedLogs.ts'
import { createAnnouncer } from '../../chain/announcer.ts'
import type { ConsensusEngine } from '../../chain/engine.ts'
import type { HeadEvent } from '../../chain/events.ts'
import type { HashedBlock } from '../../chain/view.ts'
import type { ProposerReport } from '../../consensus/producing/producer.ts'
import type { ChainSpec } from '../../forks/chainSpec.ts'
import { type Address, toAddress } from '../../primitives/bytes.ts'
import { toHex } from '../../primitives/hex.ts'
import type { SyncStatus } from '../../sync/syncStatus.ts'
import { watchState } from './watchState.ts'

const validators = [1, 2, 3, 4].map((byte) => toAddress(new Uint8Array(20).fill(byte)))
const names = validators.map(toHex)
const period = 2000
const qbft = {
  kind: 'qbft',
  blockPeriodSeconds: 2,
  requestTimeoutSeconds: 4,
  transitions: [],
  successor: undefined,
}

let clock: ManualClock
let log: RecordedLogs
beforeEach(() => {
  clock = createManualClock(1_000_000)
  log = createRecordedLogs()
})

interface World {
  proposers: ProposerReport
  sync: SyncStatus | undefined
  free: number | Error
}

function watch(more: { consensus?: object } = {}) {
  const heads = createAnnouncer<HeadEvent>()
  const world: World = { proposers: { silent: [], flaws: [] }, sync: undefined, free: 2 ** 40 }
  let head = { header: { number: 10n, timestamp: 998n } } as HashedBlock
  const makers = new Map<object, Address>()
  const watched = watchState({
    chain: { spec: { consensus: more.consensus ?? qbft } as ChainSpec, head: () => head, onHead: heads.subscribe },
    consensus: {
      validatorsAfter: () => [],
      signerOf: (header: object) => makers.get(header),
    } as unknown as ConsensusEngine,
    name: 'alice',
    address: validators[0]!,
    isDev: false,
    validators: () => validators,
    roundStatus: () => undefined,
    proposers: () => world.proposers,
    connected: () => validators.slice(1),
    refused: () => [],
    forks: () => [],
    async measureDisk() {
      if (world.free instanceof Error) throw world.free
      return { folder: '/data', free: world.free }
    },
    sync: { status: () => world.sync },
    clock,
    log,
  })
  watched.start()
  /** A block after so many milliseconds, whose timestamp is so many seconds ago. */
  function block(maker: number, after = period, age = 0): void {
    clock.run(after)
    const timestamp = BigInt(Math.floor(clock.now() / 1000) - age)
    head = { header: { number: head.header.number + 1n, timestamp } } as HashedBlock
    makers.set(head.header, validators[maker]!)
    heads.announce({ head, added: [head], removed: [] })
  }
  return { ...watched, world, block, texts: () => watched.state().problems.map(({ text }) => text) }
}

const turns = (count: number, among: readonly number[] = [0, 1, 2, 3]) =>
  Array.from({ length: count }, (_, i) => among[i % among.length]!)

test('blocks in time: nothing is wrong, and nothing is logged', () => {
  const node = watch()
  for (const maker of turns(30)) node.block(maker)
  expect(node.state()).toMatchObject({ status: 'making', period: 2, head: 40, nodes: [{ name: 'alice' }] })
  expect(log.lines()).toEqual([])
})

test('who makes none of the blocks is absent', () => {
  const node = watch()
  for (const maker of turns(12, [0, 1, 2])) node.block(maker)
  expect(node.texts()).toEqual([`validator ${names[3]} takes no part: it lets its turns pass`])
  clock.run(5000)
  node.block(3, 0)
  expect(node.texts()).toEqual([])
  clock.run(5000)
  expect(log.lines()).toEqual([
    `warn validator ${names[3]} takes no part: it lets its turns pass`,
    `info over: validator ${names[3]} takes no part: it lets its turns pass`,
  ])
})

test('blocks of others that come long after their time: this clock is ahead', () => {
  const node = watch()
  for (const maker of turns(12)) node.block(maker, period, maker === 0 ? 0 : 45)
  expect(node.texts()).toEqual([`the clock of this node (${names[0]}) is 45 s ahead of the blocks that others make`])
})

test('a proposal from the future counts until its proposer makes a block', () => {
  const node = watch()
  for (const maker of turns(4)) node.block(maker)
  const flaw = { proposer: validators[3]!, reason: '', secondsAhead: 44, at: clock.now() + 1 }
  node.world.proposers = { silent: [], flaws: [flaw] }
  clock.run(600)
  expect(node.texts()).toEqual([`the clock of ${names[3]} is 44 s ahead: its proposals are refused`])
  node.block(3)
  expect(node.texts()).toEqual([])
})

test('a standstill does not count as slow, and blocks that were missed say nothing', () => {
  const node = watch()
  for (const maker of turns(12)) node.block(maker)
  clock.run(60_000)
  expect(node.state()).toMatchObject({ status: 'standing', secondsSinceBlock: 60 })
  node.block(0, 0)
  expect(node.state()).toMatchObject({ status: 'making', period: 2 })
  node.world.sync = { startingBlock: 1n, currentBlock: 2n, highestBlock: 3n }
  node.block(0, 10)
  node.world.sync = undefined
  clock.run(600)
  expect(node.state().period).toBeUndefined()
  for (const maker of turns(12)) node.block(maker, 4000)
  expect(node.state()).toMatchObject({ status: 'slow', period: 4 })
})

test('the disk is looked at again and again; one that cannot be measured is no problem', async () => {
  const node = watch()
  const settle = () => new Promise((resolve) => setImmediate(resolve))
  await settle()
  node.world.free = 1e6
  clock.run(5000)
  await settle()
  clock.run(600)
  expect(node.state()).toMatchObject({ level: 'error', summary: '0 MiB free on the disk of /data' })
  node.world.free = new Error('no such folder')
  clock.run(5000)
  await settle()
  clock.run(600)
  expect(node.state()).toMatchObject({ problems: [{ code: 'noBlocks' }] })
  expect(log.lines()).toContain('error 0 MiB free on the disk of /data')
})

test('where blocks wait for transactions nobody waits for them', () => {
  const node = watch({ consensus: { kind: 'ethash' } })
  clock.run(3_600_000)
  expect(node.state()).toMatchObject({ status: 'idle', level: 'ok' })
})
