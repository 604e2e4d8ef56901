import { describe, expect, test } from 'vitest'
import { type Authority, authorities, bftGenesis, cliqueGenesis } from '../../test/support/authorityChain.ts'
import { closedAfterEach } from '../../test/support/closedAfterEach.ts'
import { openNetwork as open, type Parcel, networkStart as start } from '../../test/support/localValidators.ts'
import type { ValidatorNode } from '../../test/support/validatorNode.ts'
import { type Address, compareBytes, equalBytes } from '../primitives/bytes.ts'
import { hexToAddress, toHex } from '../primitives/hex.ts'
import { signTx } from '../types/signTx.ts'
import type { Tx } from '../types/transaction.ts'
import { ibft2Codec } from './ibft2/ibft2Codec.ts'
import { qbftCodec } from './qbft/qbftCodec.ts'

const openNetwork = closedAfterEach(open)

const [user, ...others] = authorities(6) as [Authority, ...Authority[]]
const validators = others.slice(0, 4)
const [first] = validators as [Authority]
const newcomer = others[4]!
const alice = hexToAddress('00000000000000000000000000000000000000aa')

const hexOf = (addresses: readonly Address[]) => addresses.map(toHex)
const agree = (nodes: readonly ValidatorNode[], height: bigint) =>
  new Set(nodes.map((node) => toHex(node.chain.read((view) => view.hashAt(height)!)))).size === 1

const alloc = { [toHex(user.address)]: { balance: '1000000000000000000' } }
function pay(nonce: bigint): Tx {
  const fields = { gasPrice: 1000n, gasLimit: 21_000n, to: alice, value: 1n, data: new Uint8Array(0), chainId: 1n }
  return signTx({ type: 0, nonce, ...fields }, user.key)
}

const period = { blockperiodseconds: 2 }
const bftTerms = { ...period, requesttimeoutseconds: 4 }
const engines = [
  ['clique', (list: readonly Authority[]) => ({ ...cliqueGenesis(list, period, { chainId: 1 }), alloc })],
  ['ibft2', (list: readonly Authority[]) => bftGenesis(ibft2Codec, list, { ibft2: bftTerms }, alloc)],
  ['qbft', (list: readonly Authority[]) => bftGenesis(qbftCodec, list, { qbft: bftTerms }, alloc)],
] as const

describe.each(engines)('%s', (kind, genesisOf) => {
  test('one validator makes blocks in time', () => {
    const { node, reach, clock } = openNetwork(genesisOf([first]), [first])
    reach(5)
    expect(clock.now() - start).toBeLessThan(10_000)
    expect(node.head().header.timestamp).toBe(BigInt(start / 1000) + 8n)
    node.producer.stop()
    clock.run(10_000)
    expect(node.head().header.number).toBe(5n)
    expect(node.producer.isRunning()).toBe(false)
    node.producer.start()
    reach(6)
  })

  test('four validators make blocks in turn, with the transactions of the pool', () => {
    const { nodes, node, reach, makers } = openNetwork(genesisOf(validators), validators)
    reach(1)
    for (const { pool } of nodes)
      for (const nonce of [0n, 1n]) expect(pool.add(pay(nonce), { local: true, now: start })).toBeUndefined()
    reach(8)
    expect(agree(nodes, 8n)).toBe(true)
    expect(new Set(hexOf(makers()))).toEqual(new Set(hexOf(validators.map(({ address }) => address))))
    node.chain.read((view) => {
      expect(view.stateAt(8n).account(alice)?.balance).toBe(2n)
      const collected = validators.map(({ address }) => view.stateAt(8n).account(address)?.balance ?? 0n)
      expect(collected.reduce((sum, wei) => sum + wei)).toBe(2n * 21_000n * 1000n)
    })
  })

  if (kind !== 'clique')
    test('a long proposal is passed on only to those who do not have it', () => {
      const { nodes, local, clock, reach, makers } = openNetwork(genesisOf(validators), validators)
      const isLong = ({ content }: Parcel) => 'code' in content && content.data.length > 4096
      const receivers = () => local.sent.filter(isLong).flatMap(({ to }) => hexOf(to))
      function fillPools(from: bigint): void {
        for (const { pool } of nodes)
          for (let nonce = from; nonce < from + 60n; nonce++) pool.add(pay(nonce), { local: true, now: start })
      }
      // By then each knows in which encoding the others write.
      reach(4)
      fillPools(0n)
      reach(5)
      expect(receivers()).toHaveLength(3)

      // One is there but silent, and another does not receive the next proposer: without it there is no quorum.
      const inOrder = nodes.toSorted((a, b) => compareBytes(a.address, b.address))
      const last = inOrder.findIndex(({ address }) => equalBytes(address, makers()[4]!))
      const [, proposer, silent, deaf] = [0, 1, 2, 3].map((i) => inOrder[(last + i) % 4]!)
      silent!.producer.stop()
      local.cuts.push([proposer!.address, deaf!.address])
      local.sent.length = 0
      fillPools(60n)
      clock.runUntil(() => deaf!.head().header.number === 6n)
      expect(makers()[5]).toEqual(proposer!.address)
      // From the proposer to two, and from one of those to the others.
      expect(receivers()).toHaveLength(4)
      expect(receivers()).toContain(toHex(deaf!.address))

      // When the same one proposes again, those who lacked its last proposal get this one at once.
      silent!.producer.start()
      clock.runUntil(() => makers().length === 9)
      local.sent.length = 0
      fillPools(120n)
      clock.runUntil(() => makers().length === 10)
      expect(makers()[5]).toEqual(proposer!.address)
      expect(receivers().slice(2).toSorted()).toEqual(hexOf([silent!.address, deaf!.address]).toSorted())
    })

  test('go on with one of four away, and with it when it is back', () => {
    const { nodes, local, clock, reach } = openNetwork(genesisOf(validators), validators)
    reach(2)
    const away = nodes[1]!
    local.nodes.delete(away)
    const present = nodes.filter((node) => node !== away)
    clock.runUntil(() => Math.min(...present.map((node) => Number(node.head().header.number))) >= 5)
    local.nodes.add(away)
    clock.runUntil(() => Math.min(...nodes.map((node) => Number(node.head().header.number))) >= 8)
    expect(agree(nodes, 7n)).toBe(true)
  })

  test('a newcomer keeps silent until it is voted in, and falls silent when it is voted out', () => {
    const { nodes, local, reach, makers } = openNetwork(genesisOf(validators), [...validators, newcomer])
    const voters = nodes.slice(0, 3)
    const fromNewcomer = () => local.sent.filter(({ from }) => equalBytes(from, newcomer.address)).length
    for (const { votes } of voters) votes.propose(newcomer.address, true)
    reach(3)
    expect(fromNewcomer()).toBe(0)
    reach(9)
    expect(hexOf(nodes[3]!.validators())).toContain(toHex(newcomer.address))
    expect(hexOf(makers())).toContain(toHex(newcomer.address))
    for (const { votes } of voters) votes.propose(newcomer.address, false)
    reach(17)
    expect(hexOf(nodes[3]!.validators())).not.toContain(toHex(newcomer.address))
    const sent = fromNewcomer()
    reach(19)
    expect(fromNewcomer()).toBe(sent)
  })

  test('nothing is made while peers are ahead', () => {
    const { node, local, clock, reach } = openNetwork(genesisOf([first]), [first])
    reach(2)
    local.isBehind = true
    clock.run(20_000)
    expect(node.head().header.number).toBe(2n)
    local.isBehind = false
    reach(4)
  })

  test(`offers the wire protocol of ${kind}`, () => {
    const { node } = openNetwork(genesisOf([first]), [first])
    const offered = { clique: [], ibft2: [['IBF', 1, 4]], qbft: [['istanbul', 100, 0x16]] }[kind]
    expect(node.producer.protocols.map(({ name, version, length }) => [name, version, length])).toEqual(offered)
  })
})
