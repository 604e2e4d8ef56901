import { describe, expect, test } from 'vitest'
import { type Authority, authorities, bftGenesis, cliqueGenesis } from '../../test/support/authorityChain.ts'
import { closedAfterEach } from '../../test/support/closedAfterEach.ts'
import { openNetwork as open, type TestNetwork } from '../../test/support/localValidators.ts'
import { equalBytes } from '../primitives/bytes.ts'
import { toHex } from '../primitives/hex.ts'
import { ibft2Codec } from './ibft2/ibft2Codec.ts'
import { qbftCodec } from './qbft/qbftCodec.ts'

const openNetwork = closedAfterEach(open)

const four = authorities(4)
const [first, second, third] = four as [Authority, Authority, Authority]
const terms = { blockperiodseconds: 1, requesttimeoutseconds: 2 }
const qbft = { ...terms, startblock: 4 }
const hexOf = (list: readonly { address: Uint8Array }[]) => list.map(({ address }) => toHex(address))

function extraDataAt({ node }: TestNetwork, number: bigint): Uint8Array {
  return node.chain.read((view) => view.headerAt(number)!.header.extraData)
}

const fromIbft2 = (transitions: object[] = []) =>
  bftGenesis(ibft2Codec, four, { ibft2: terms, qbft, transitions: { qbft: transitions } })
const fromClique = (transitions: object[] = [], signers: readonly Authority[] = four) =>
  cliqueGenesis(signers, { blockperiodseconds: 1 }, { qbft, transitions: { qbft: transitions } })

describe('a network changes its engine at a block', () => {
  test('from IBFT 2.0 to QBFT', () => {
    const network = openNetwork(fromIbft2(), four)
    network.reach(6)
    expect(ibft2Codec.decode(extraDataAt(network, 3n)).seals.length).toBeGreaterThanOrEqual(3)
    expect(qbftCodec.decode(extraDataAt(network, 4n)).seals.length).toBeGreaterThanOrEqual(3)
    expect(network.node.producer.protocols.map(({ name }) => name)).toEqual(['IBF', 'istanbul'])
    const spoken = network.local.sent.map(({ content }) => ('protocol' in content ? content.protocol : 'block'))
    expect(spoken.lastIndexOf('IBF')).toBeLessThan(spoken.indexOf('istanbul'))
  })

  test('from Clique to QBFT, whose validators are the last signers', async () => {
    const network = openNetwork(fromClique(), four)
    network.reach(6)
    expect(extraDataAt(network, 3n)).toHaveLength(97)
    const { validators, seals } = qbftCodec.decode(extraDataAt(network, 4n))
    expect(validators.map(toHex)).toEqual(hexOf(four))
    expect(seals.length).toBeGreaterThanOrEqual(3)
    expect(
      network.node.chain.read((view) => network.node.consensus.validatorsAfter(view.headerAt(3n)!, view)),
    ).toHaveLength(4)
    await network.restart(0)
    network.reach(8)
  })

  test('from Clique to QBFT with a signer less, whom Clique has voted out', () => {
    const [a, b, c] = four as [Authority, Authority, Authority]
    const network = openNetwork(fromClique([], [a, b, c]), [a, b])
    for (const { votes } of network.nodes) votes.propose(c.address, false)
    network.reach(6)
    expect(qbftCodec.decode(extraDataAt(network, 4n)).validators.map(toHex)).toEqual(hexOf([a, b]))
    expect(network.node.validators().map(toHex)).toEqual(hexOf([a, b]))
  })

  test('from Clique to QBFT, whose validators the genesis file names', () => {
    const network = openNetwork(fromClique([{ block: 4, validators: hexOf([second, third]) }]), four)
    network.reach(6)
    expect(qbftCodec.decode(extraDataAt(network, 4n)).validators.map(toHex)).toEqual(hexOf([second, third]))
    expect(
      network
        .makers()
        .slice(3)
        .every((maker) => !equalBytes(maker, first.address)),
    ).toBe(true)
  })
})

test('after the change validators say again to those who connect what they have said, and tell of their round', () => {
  const network = openNetwork(fromIbft2(), four)
  const { producer, head } = network.node
  network.reach(6)
  for (const other of network.nodes.slice(1)) other.producer.stop()
  network.clock.run(10_000)
  const status = producer.roundStatus?.()
  expect(status).toMatchObject({ height: head().header.number + 1n, round: 1, quorum: 3 })
  expect(status?.heard()).toHaveLength(1)
  const { sent } = network.local
  const before = sent.length
  producer.onLink?.(second.address)
  expect(sent.slice(before).map(({ content }) => 'protocol' in content && content.protocol)).toContain('istanbul')
})

test('a heavier branch of Clique does not stand against a block of QBFT', () => {
  const network = openNetwork(fromClique(), four)
  network.reach(4)
  const { consensus, chain } = network.node
  chain.read((view) => {
    const final = { ...view.headerAt(4n)!, totalDifficulty: 5n }
    const heavy = { ...view.headerAt(3n)!, totalDifficulty: 100n }
    expect(consensus.isBetter(heavy, final, view)).toBe(false)
    expect(consensus.isBetter(final, heavy, view)).toBe(true)
  })
})

describe('terms of QBFT', () => {
  test('a contract names the validators', () => {
    const contract = `0x${'c0'.repeat(20)}`
    // Returns an array of the one address in slot 0.
    const code = '0x6020600052600160205260005460405260606000f3'
    const alloc = { [contract]: { balance: '0', code, storage: { '0x0': toHex(second.address) } } }
    const config = { ...terms, validatorcontractaddress: contract }
    const network = openNetwork(bftGenesis(qbftCodec, [], { qbft: config }, alloc), [first, second])
    network.reach(3)
    expect(network.makers().map(toHex)).toEqual(Array(3).fill(toHex(second.address)))
    expect(qbftCodec.decode(extraDataAt(network, 3n)).validators).toEqual([])
  })

  test.each(['emptyblockperiodseconds', 'xemptyblockperiodseconds'])('%s delays blocks without transactions', (key) => {
    const config = { ...terms, [key]: 7 }
    const transitions = { qbft: [{ block: 3, [key]: 3 }] }
    const network = openNetwork(bftGenesis(qbftCodec, [first], { qbft: config, transitions }), [first])
    network.reach(4)
    const times = network.node.chain.read((view) =>
      [1n, 2n, 3n, 4n].map((number) => view.headerAt(number)!.header.timestamp),
    )
    expect(times.slice(1).map((time, i) => time - times[i]!)).toEqual([7n, 3n, 3n])
  })
})
