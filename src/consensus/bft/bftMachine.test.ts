import { describe, expect, test } from 'vitest'
import {
  type BftNetwork,
  cheapCryptoOf,
  createBftNetwork,
  cryptoOf,
  type NetworkOptions,
} from '../../../test/support/machineNetwork.ts'
import { sampled } from '../../../test/support/wholeRun.ts'
import { keyOf } from '../../primitives/bytes.ts'
import type { Tx } from '../../types/transaction.ts'
import { ibft2Protocol } from '../ibft2/ibft2Protocol.ts'
import { qbftProtocol } from '../qbft/qbftProtocol.ts'

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

const reaches = (network: BftNetwork, height: bigint) => () => network.heights().every((number) => number >= height)

for (const protocol of [ibft2Protocol, qbftProtocol])
  describe(protocol.name, () => {
    const open = (options: Partial<NetworkOptions> = {}) =>
      createBftNetwork({ protocol, crypto: cheapCryptoOf, ...options })
    const blocksOf = (network: BftNetwork) => network.validators[0]!.chain.slice(1)

    test.each([1, 2, 3, 4, 7])('%i validators make a block each second, in round 0 and in turn', (validators) => {
      const network = open({ validators, crypto: cryptoOf })
      network.startAll()
      network.runUntil(reaches(network, 10n))
      const blocks = blocksOf(network)
      expect(blocks.map(({ round }) => round)).toEqual(Array(blocks.length).fill(0))
      for (const [i, { header }] of blocks.entries()) {
        expect(header.timestamp).toBe(1_700_000_001n + BigInt(i))
        expect(keyOf(header.beneficiary)).toBe(keyOf(network.keys[i % validators]!.address))
      }
    })

    test('a proposer that is away costs its rounds', () => {
      const network = open()
      for (const index of [0, 1, 3]) network.start(index)
      network.runUntil(reaches(network, 8n))
      const rounds = blocksOf(network).map(({ round }) => round)
      // The fourth takes over from the third, and the turn goes on from there.
      expect(rounds.slice(0, 8)).toEqual([0, 0, 1, 0, 0, 1, 0, 0])
    })

    test.each([1, 2, 3])('what was prepared in round 0 is what round %i commits to', (last) => {
      const network = open({ loses: ({ kind, height, round }) => kind === 'commit' && height === 1n && round < last })
      network.startAll()
      network.runUntil(reaches(network, 2n))
      const [first] = blocksOf(network)
      expect(first!.round).toBe(last)
      expect(first!.header.timestamp).toBe(1_700_000_001n)
      expect(keyOf(first!.header.beneficiary)).toBe(keyOf(network.keys[0]!.address))
    })

    test('one that alone was prepared carries the block over', () => {
      // Only the fourth hears enough prepares, and without it there is no quorum for the next round.
      const network = open({
        loses: ({ kind, from, to, height, round }) =>
          height === 1n &&
          ((kind === 'prepare' && to !== 3 && round === 0) ||
            (kind === 'commit' && round === 0) ||
            (kind === 'roundChange' && from === 0)),
      })
      network.startAll()
      network.runUntil(reaches(network, 1n))
      const [first] = blocksOf(network)
      expect(first!.round).toBeGreaterThan(0)
      expect(first!.header.timestamp).toBe(1_700_000_001n)
    })

    test('a block that nobody prepared is replaced by one of the new proposer', () => {
      const network = open({ loses: ({ kind, height, round }) => kind === 'prepare' && height === 1n && round === 0 })
      network.startAll()
      network.runUntil(reaches(network, 1n))
      const [first] = blocksOf(network)
      expect(first!.round).toBe(1)
      expect(keyOf(first!.header.beneficiary)).toBe(keyOf(network.keys[1]!.address))
    })

    test('one that was away is taken along to the round of the others', () => {
      // Two of four get far ahead of the rest by their timers; the others then start at round 0.
      const network = open()
      for (const index of [0, 1]) network.start(index)
      // For as long as it takes: too few do not run away from the others.
      const back = network.now() + sampled(4, 18) * 3_600_000
      network.runUntil(() => network.now() >= back, 1_000_000)
      const status = network.validators[0]!.machine!.status()!
      expect(status).toMatchObject({ height: 1n, round: 1, quorum: 3 })
      expect(status.heard()).toEqual([0, 1].map((index) => network.keys[index]!.address))
      for (const index of [2, 3]) network.start(index)
      network.runUntil(reaches(network, 1n))
      expect(blocksOf(network)[0]!.round).toBe(1)
      expect(network.now() - back).toBeLessThan(2 * 4000 + 1000)
    })

    test('validators come and go', () => {
      const network = open({ decide: (index, head) => (index === 0 ? head < 3n : index === 3 ? head >= 3n : true) })
      network.startAll()
      network.runUntil(reaches(network, 8n))
      const proposers = blocksOf(network).map(({ header }) => header.beneficiary)
      const turns = [0, 1, 2, 3, 1, 2, 3, 1].map((index) => keyOf(network.keys[index]!.address))
      expect(proposers.slice(0, 8).map(keyOf)).toEqual(turns)
    })

    test('a period holds from its block on', () => {
      const network = open({
        requestTimeoutSeconds: 10,
        timing: (height) => ({ blockPeriodSeconds: height < 3n ? 2 : 5 }),
      })
      network.startAll()
      network.runUntil(reaches(network, 4n))
      const times = blocksOf(network).map(({ header }) => Number(header.timestamp) - 1_700_000_000)
      expect(times.slice(0, 4)).toEqual([2, 4, 9, 14])
    })

    test('rounds that all are in last twice as long each time', () => {
      const network = open({ requestTimeoutSeconds: 2, loses: ({ kind }) => kind === 'proposal' })
      const waits: number[] = []
      network.startAll()
      let last = network.now()
      network.runUntil(() => {
        const { round } = network.validators[0]!.machine!.status()!
        if (round > waits.length) {
          waits.push((network.now() - last) / 1000)
          last = network.now()
        }
        return round === 5
      })
      // In QBFT the first round begins when the block period is over.
      expect(waits).toEqual([protocol.startsWithHeight ? 2 : 3, 2, 4, 8, 16])
    })

    test('without blocks to propose rounds pass, and nothing is said that is not so', () => {
      const network = open({ builds: () => false })
      network.startAll()
      network.runUntil(() => network.validators[0]!.machine!.status()!.round === 4)
      expect(blocksOf(network)).toEqual([])
    })

    test('a height of which nobody knows the validators stands still', () => {
      const network = open({ decide: (_, head) => head < 2n })
      network.startAll()
      network.runUntil(reaches(network, 2n))
      expect(network.validators[0]!.machine!.status()).toMatchObject({ height: 3n, round: -1, isValidator: false })
    })
  })

describe('empty blocks of qbft that have to wait', () => {
  const timing = () => ({ blockPeriodSeconds: 2, emptyBlockPeriodSeconds: 7 })
  const options: NetworkOptions = { protocol: qbftProtocol, crypto: cheapCryptoOf, timing }
  const times = (network: BftNetwork) =>
    network.validators[0]!.chain.map(({ header }) => Number(header.timestamp) - 1_700_000_000)

  test('come after their own period, in round 0', () => {
    const network = createBftNetwork(options)
    network.startAll()
    network.runUntil(reaches(network, 3n))
    expect(times(network).slice(0, 4)).toEqual([0, 7, 14, 21])
    expect(network.validators[0]!.chain.every(({ round }) => round === 0)).toBe(true)
  })

  test('give way to transactions at the next block period', () => {
    const network: BftNetwork = createBftNetwork({
      ...options,
      pending: () => (network.now() >= 1_700_000_005_000 ? [transaction] : []),
    })
    network.startAll()
    network.runUntil(reaches(network, 3n))
    expect(times(network).slice(0, 4)).toEqual([0, 6, 8, 10])
  })
})
