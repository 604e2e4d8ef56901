import { describe, expect, test } from 'vitest'
import {
  type BftNetwork,
  cheapCryptoOf,
  createBftNetwork,
  type NetworkOptions,
} from '../../../test/support/machineNetwork.ts'
import type { Tx } from '../../types/transaction.ts'
import { ibft2Protocol } from '../ibft2/ibft2Protocol.ts'
import { qbftProtocol } from '../qbft/qbftProtocol.ts'
import { createBeat } from './beat.ts'
import { createBlockSchedule } from './blockSchedule.ts'

const start = 1_700_000_000_000
const transaction: Tx = {
  type: 0,
  nonce: 0n,
  gasPrice: 0n,
  gasLimit: 21_000n,
  to: undefined,
  value: 0n,
  data: new Uint8Array(0),
  v: 27n,
  r: 1n,
  s: 1n,
}

/** Milliseconds since the start at which all had each block. */
function timesOf(network: BftNetwork, blocks: number): number[] {
  return Array.from({ length: blocks }, (_, i) => {
    network.runUntil(() => network.heights().every((height) => height > BigInt(i)))
    return network.now() - start
  })
}

const stampsOf = (network: BftNetwork, blocks: number) =>
  network.validators[0]!.chain.slice(1, blocks + 1).map(({ header }) => Number(header.timestamp) - start / 1000)

const until = (length: number, period: number) => Array.from({ length }, (_, i) => (i + 1) * period)

describe.each([ibft2Protocol, qbftProtocol])('$name', (protocol) => {
  const open = (blockPeriodMilliseconds: number, options: Partial<NetworkOptions> = {}) =>
    createBftNetwork({
      protocol,
      crypto: cheapCryptoOf,
      requestTimeoutSeconds: 1,
      timing: () => ({ blockPeriodMilliseconds }),
      ...options,
    })

  test.each([100, 250, 500, 900])('every %i ms a block, whose time is the second that has begun', (period) => {
    const network = open(period)
    network.startAll()
    const times = timesOf(network, 25)
    expect(times).toEqual(until(25, period))
    expect(stampsOf(network, 25)).toEqual(times.map((time) => Math.floor(time / 1000)))
  })

  test('between one and two seconds no two blocks have the same time', () => {
    const network = open(1500, { requestTimeoutSeconds: 4 })
    network.startAll()
    expect(timesOf(network, 6)).toEqual(until(6, 1500))
    expect(stampsOf(network, 6)).toEqual([1, 3, 4, 6, 7, 9])
  })

  test('timers that are late do not slow the network down', () => {
    const network = open(100, { skew: () => 30 })
    network.startAll()
    expect(timesOf(network, 20).at(-1)).toBe(20 * 100 + 30)
  })

  test('a validator that is away is waited for once, and then what it costs is made up for', () => {
    const network = open(250)
    for (const index of [0, 1, 3]) network.start(index)
    const times = timesOf(network, 41)
    const waits = times.slice(1).map((time, i) => time - times[i]!)
    expect(waits.filter((wait) => wait > 350)).toHaveLength(1)
    expect(times.at(-1)! - times[4]!).toBeLessThanOrEqual(36 * 250 + 63)
  })

  test('a transition changes from seconds to milliseconds and back', () => {
    const network = open(0, {
      requestTimeoutSeconds: 4,
      timing: (height) => ({
        blockPeriodSeconds: 2,
        blockPeriodMilliseconds: height > 2n && height < 8n ? 300 : undefined,
      }),
    })
    network.startAll()
    expect(timesOf(network, 9)).toEqual([2000, 4000, 4300, 4600, 4900, 5200, 5500, 7000, 9000])
  })

  test('one that starts later keeps the pace of the others', () => {
    const network = open(100)
    for (const index of [0, 1, 2]) network.start(index)
    timesOf(network, 2)
    const { chain } = network.validators[3]!
    chain.push(...network.validators[0]!.chain.slice(chain.length))
    network.start(3)
    const times = timesOf(network, 30)
    expect(times.at(-1)! - times[9]!).toBe(2000)
  })
})

describe('empty blocks that have to wait', () => {
  const timing = () => ({ blockPeriodMilliseconds: 200, emptyBlockPeriodSeconds: 3 })
  const openQbft = (pending: () => readonly Tx[]) =>
    createBftNetwork({ protocol: qbftProtocol, crypto: cheapCryptoOf, requestTimeoutSeconds: 1, timing, pending })

  test('come after their own period, to the millisecond', () => {
    const network = openQbft(() => [])
    network.startAll()
    expect(timesOf(network, 4)).toEqual([3000, 6000, 9000, 12_000])
  })

  test('a transaction is in a block within a block period, and the one after it waits for its own', () => {
    const due = start + 7100
    let network: BftNetwork | undefined
    const isThere = () => network!.now() >= due && network!.heights().some((height) => height < 5n)
    network = openQbft(() => (network && isThere() ? [transaction] : []))
    network.startAll()
    const times = timesOf(network, 6)
    expect(times.slice(0, 2)).toEqual([3000, 6000])
    expect(times[2]).toBeGreaterThanOrEqual(7100)
    expect(times[2]).toBeLessThanOrEqual(7300)
    expect(times[3]! - times[2]!).toBe(200)
    expect(times[4]! - times[3]!).toBe(200)
    expect(times[5]! - times[4]!).toBe(3000)
  })
})

describe('a schedule', () => {
  const parent = (timestamp: bigint) =>
    ({ header: { number: 5n, timestamp }, hash: new Uint8Array(32) }) as unknown as Parameters<
      typeof createBlockSchedule
    >[0]
  const timing = { blockPeriodSeconds: 1, blockPeriodMilliseconds: 250, emptyBlockPeriodSeconds: undefined }

  test('never goes back behind the time of the parent, which a Besu validator may have rounded up', () => {
    const schedule = createBlockSchedule(parent(101n), timing, createBeat())
    expect(schedule.begin(100_600)).toEqual({ after: 250 })
    expect(schedule.planFirst(100_850).timestamp).toBe(101n)
    expect(schedule.mustNotBeEmpty(100_850)).toBe(false)
  })

  test('one that has just started waits for an empty block at most a second longer than the others', () => {
    const empty = { ...timing, emptyBlockPeriodSeconds: 10 }
    const schedule = createBlockSchedule(parent(100n), empty, createBeat())
    schedule.begin(107_000)
    expect([110_999, 111_000].map(schedule.mustNotBeEmpty)).toEqual([true, false])
    expect(schedule.lookAgain(110_900)).toEqual({ at: 111_000 })
    expect(schedule.lookAgain(108_000)).toEqual({ at: 108_250 })
  })
})
