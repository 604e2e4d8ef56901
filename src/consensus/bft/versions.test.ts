import { describe, expect, test } from 'vitest'
import {
  type BftNetwork,
  type BftVersion,
  cheapCryptoOf,
  createBftNetwork,
  type NetworkOptions,
} from '../../../test/support/machineNetwork.ts'
import { ibft2Protocol } from '../ibft2/ibft2Protocol.ts'
import { qbftProtocol } from '../qbft/qbftProtocol.ts'

const reaches = (network: BftNetwork, height: bigint) => () => network.heights().every((number) => number >= height)
const roundsOf = (network: BftNetwork) => network.validators[0]!.chain.slice(1).map(({ round }) => round)

describe.each([[qbftProtocol], [ibft2Protocol]])('$name: versions of Besu in one network', (protocol) => {
  const open = (versions: readonly BftVersion[], options: Partial<NetworkOptions> = {}) =>
    createBftNetwork({
      ...{ protocol, crypto: cheapCryptoOf, validators: versions.length, version: (index) => versions[index]! },
      ...options,
    })

  test.each<readonly BftVersion[]>([
    ['quoin', 'legacy', 'quoin', 'legacy'],
    ['quoin', 'accessList', 'quoin', 'accessList'],
    ['quoin', 'both', 'quoin', 'both'],
    ['quoin', 'legacy', 'quoin', 'accessList'],
    ['quoin', 'both', 'legacy', 'quoin'],
    ['quoin', 'legacy', 'quoin', 'accessList', 'quoin', 'both', 'quoin'],
    ['quoin', 'quoin', 'quoin', 'quoin'],
  ])('%s %s %s %s: all make blocks, each in round 0', (...versions) => {
    const network = open(versions)
    network.startAll()
    network.runUntil(reaches(network, 12n))
    expect(roundsOf(network).every((round) => round === 0)).toBe(true)
  })

  test('a proposer that is away costs a round, and no more', () => {
    const network = open(['quoin', 'legacy', 'quoin', 'accessList', 'quoin', 'both', 'quoin'])
    for (const index of [0, 1, 2, 3, 5, 6]) network.start(index)
    network.runUntil(reaches(network, 10n))
    expect(Math.max(...roundsOf(network))).toBe(1)
  })

  test('the nodes of Besu go from 25 to 26 one at a time, and back', () => {
    const versions: BftVersion[] = ['quoin', 'legacy', 'quoin', 'legacy']
    const network = open(versions)
    network.startAll()
    const steps: readonly (readonly [number, BftVersion])[] = [
      ...([1, 3] as const).map((index) => [index, 'accessList'] as const),
      ...([1, 3] as const).map((index) => [index, 'both'] as const),
      ...([1, 3] as const).map((index) => [index, 'legacy'] as const),
    ]
    for (const [index, version] of steps) {
      network.kill(index)
      network.runUntil(reaches(network, network.headOf(0).header.number + 5n))
      versions[index] = version
      // It syncs before it takes part again.
      const { chain } = network.validators[index]!
      chain.push(...network.validators[0]!.chain.slice(chain.length))
      network.start(index)
      network.runUntil(reaches(network, network.headOf(0).header.number + 5n))
    }
    expect(Math.max(...roundsOf(network))).toBe(1)
  })

  test('validators in a line pass on to each neighbour what it reads', () => {
    const versions: readonly BftVersion[] = ['legacy', 'quoin', 'quoin', 'both']
    const network = open(versions, { linked: (a, b) => Math.abs(a - b) === 1 })
    network.startAll()
    network.runUntil(reaches(network, 10n))
    expect(Math.max(...roundsOf(network))).toBe(0)
  })
})
