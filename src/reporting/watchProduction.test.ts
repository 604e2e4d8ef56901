import { beforeEach, expect, test } from 'vitest'
import { createManualClock, type ManualClock } from '../../test/support/manualClock.ts'
import { createRecordedLogs, type RecordedLogs } from '../../test/support/recordedLogs.ts'
import { createAnnouncer } from '../chain/announcer.ts'
import type { HeadEvent } from '../chain/events.ts'
import type { HashedBlock } from '../chain/view.ts'
import type { RoundStatus } from '../consensus/producing/producer.ts'
import type { ChainSpec } from '../forks/chainSpec.ts'
import { createMetrics } from '../metrics/metrics.ts'
import { type Address, toAddress } from '../primitives/bytes.ts'
import { toHex } from '../primitives/hex.ts'
import type { SyncStatus } from '../sync/syncStatus.ts'
import { watchProduction } from './watchProduction.ts'

const validators = [1, 2, 3, 4].map((i) => toAddress(new Uint8Array(20).fill(i)))
const [first, second, third, fourth] = validators.map(toHex)
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
  clock = createManualClock(0)
  log = createRecordedLogs()
})

function watch(change: { consensus?: object; validators?: readonly Address[] } = {}) {
  const heads = createAnnouncer<HeadEvent>()
  const metrics = createMetrics()
  let number = 13n
  let round: RoundStatus | undefined
  let sync: SyncStatus | undefined
  let connected: readonly Address[] = validators.slice(1)
  const headAt = () => ({ header: { number, timestamp: 0n } }) as HashedBlock
  const production = watchProduction({
    chain: { spec: { consensus: change.consensus ?? qbft } as ChainSpec, head: headAt, onHead: heads.subscribe },
    address: validators[0]!,
    validators: () => change.validators ?? validators,
    roundStatus: () => round,
    connected: () => connected,
    sync: { status: () => sync },
    clock,
    metrics,
    log,
  })
  production.start()
  return {
    ...production,
    enter(at: number, heard: readonly Address[]) {
      round = { height: number + 1n, round: at, quorum: 3, heard: () => heard }
      production.onRoundChange()
    },
    block() {
      number++
      heads.announce({ head: headAt(), added: [headAt()], removed: [] })
      round = undefined
    },
    syncAt: (status: SyncStatus) => void (sync = status),
    connect: (peers: readonly Address[]) => void (connected = peers),
    metric: (name: string) => metrics.families().find((family) => family.name === name)?.values[0]?.[1],
  }
}

test('blocks in time are not worth a word', () => {
  const node = watch()
  for (let i = 0; i < 50; i++) {
    clock.run(2000)
    node.block()
  }
  expect(log.lines()).toEqual([])
})

test('a stall is told with who is missing, ever more seldom, and so is its end', () => {
  const node = watch()
  clock.run(2000)
  node.block()
  node.enter(1, validators.slice(0, 2))
  clock.run(9_999)
  const round = `round 1 of block #15: 2 of 3 needed validators heard, waiting for ${third}, ${fourth}`
  expect(log.lines()).toEqual([`info ${round}`])
  clock.run(70_001)
  const reason = `round 1: 2 of 3 needed validators heard, waiting for ${third}, ${fourth}. Peers: 3`
  expect(log.lines().slice(1)).toEqual([10, 20, 40, 80].map((s) => `warn no block #15 for ${s} s: ${reason}`))
  expect(log.fields('no block')).toMatchObject({ number: 15, reason: 'noQuorum', round: 1, missing: [third, fourth] })
  expect(node.metric('seconds_since_last_block')).toBe(80)
  node.block()
  expect(log.lines().slice(5)).toEqual([
    `info block #15 was decided in round 1, without ${third}, ${fourth}`,
    'info block production resumed after 80 s with block #15',
  ])
  clock.run(9_999)
  expect(log.lines()).toHaveLength(7)
  clock.run(1)
  expect(log.lines()).toHaveLength(8)
})

test('warnings never stop, and are at most ten minutes apart', () => {
  watch()
  clock.run(4 * 3_600_000)
  const warnings = log.lines().filter((line) => line.startsWith('warn'))
  expect(warnings.length).toBeGreaterThan(20)
  expect(warnings.length).toBeLessThan(40)
})

test('a round is told once it has settled, once each, with those who came late', () => {
  const node = watch()
  node.enter(1, validators.slice(0, 1))
  node.enter(2, validators)
  clock.run(1000)
  node.onRoundChange()
  clock.run(1000)
  expect(log.lines()).toEqual(['info round 2 of block #14: 4 of 3 needed validators heard'])
  expect(node.metric('bft_round_changes_total')).toBe(3)
  expect([node.metric('bft_round'), node.metric('bft_validators_heard'), node.metric('validators')]).toEqual([2, 4, 4])
  node.block()
  expect(log.lines()[1]).toBe('info block #14 was decided in round 2')
})

test.each([
  ['no peers', 'noPeers', (node: ReturnType<typeof watch>) => node.connect([])],
  ['validators that do not agree', 'noAgreement', (node: ReturnType<typeof watch>) => node.enter(1, validators)],
  [
    'a sync that stands still',
    'syncing',
    (node: ReturnType<typeof watch>) => node.syncAt({ startingBlock: 1n, currentBlock: 13n, highestBlock: 90n }),
  ],
])('the reason may be %s', (_, reason, happen) => {
  happen(watch())
  clock.run(10_000)
  expect(log.fields('no block')).toMatchObject({ level: 'warn', reason })
})

test('a node that is not a validator says that it waits for its peers', () => {
  watch({ validators: validators.slice(1) })
  clock.run(10_000)
  expect(log.fields('no block')).toMatchObject({ reason: 'notAValidator', peers: 3 })
})

test('unknown validators are a reason too', () => {
  watch({ validators: [] })
  clock.run(10_000)
  expect(log.fields('no block')).toMatchObject({ reason: 'validatorsUnknown' })
})

test('in Clique those who are not connected are missing', () => {
  const node = watch({ consensus: { kind: 'clique', blockPeriodSeconds: 5, createEmptyBlocks: true, transitions: [] } })
  node.connect([validators[1]!])
  clock.run(24_999)
  expect(log.lines()).toEqual([])
  clock.run(1)
  expect(log.lines()).toEqual([
    `warn no block #14 for 25 s: 2 of 3 needed validators connected, waiting for ${third}, ${fourth}. Peers: 1`,
  ])
  expect([first, second]).not.toContain(third)
})

test.each([{ kind: 'clique', blockPeriodSeconds: 5, createEmptyBlocks: false, transitions: [] }, { kind: 'ethash' }])(
  'where blocks wait for transactions nothing is missed: %j',
  (consensus) => {
    watch({ consensus })
    clock.run(3_600_000)
    expect(log.lines()).toEqual([])
  },
)

test('a network whose empty blocks wait is given that time', () => {
  watch({ consensus: { ...qbft, emptyBlockPeriodSeconds: 60 } })
  clock.run(299_999)
  expect(log.lines()).toEqual([])
  clock.run(1)
  expect(log.lines()).toHaveLength(1)
})

test('after the stop nothing is told', () => {
  const node = watch()
  node.enter(1, validators)
  node.stop()
  clock.run(60_000)
  expect(log.lines()).toEqual([])
})
