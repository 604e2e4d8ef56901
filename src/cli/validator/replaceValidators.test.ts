import { describe, expect, test } from 'vitest'
import { type Authority, authorities, bftGenesis, cliqueGenesis } from '../../../test/support/authorityChain.ts'
import { openNetwork } from '../../../test/support/localValidators.ts'
import { ibft2Protocol } from '../../consensus/ibft2/ibft2Protocol.ts'
import { qbftProtocol } from '../../consensus/qbft/qbftProtocol.ts'
import type { Address } from '../../primitives/bytes.ts'
import { toHex } from '../../primitives/hex.ts'
import { replaceValidators } from './replaceValidators.ts'
import { changedValidators } from './runReplace.ts'

const six = authorities(6)
const four = six.slice(0, 4)
const namesOf = (list: readonly Authority[]) => list.map(({ address }) => toHex(address))
const terms = { blockperiodseconds: 1, requesttimeoutseconds: 2 }
const engines = [
  ['ibft2', bftGenesis(ibft2Protocol.codec, four, { ibft2: terms })],
  ['qbft', bftGenesis(qbftProtocol.codec, four, { qbft: terms })],
  ['clique', cliqueGenesis(four, { blockperiodseconds: 1 })],
] as const

describe.each(engines)('%s', (_, genesis) => {
  test('a network that has lost two of four keys goes on with two new ones, at the block where it stood still', async () => {
    const members = [...four.slice(0, 2), ...six.slice(4)]
    const network = openNetwork(genesis, six)
    try {
      network.reach(10)
      // The keys of two are gone; what the others say next leads nowhere.
      for (const index of [2, 3]) {
        network.local.nodes.delete(network.nodes[index]!)
        network.nodes[index]!.producer.stop()
      }
      network.clock.run(30_000)
      const rest = [0, 1, 4, 5].map((index) => network.nodes[index]!)
      const heads = rest.map(({ head }) => Number(head().header.number))
      const block = Math.max(...heads) + 1
      const { text, tolerance } = replaceValidators({
        text: JSON.stringify(genesis),
        block,
        validators: namesOf(members),
      })
      expect(tolerance).toBe(1)
      for (const index of [0, 1, 4, 5]) await network.restart(index, JSON.parse(text))
      const goal = BigInt(block + 12)
      network.clock.runUntil(() => [0, 1, 4, 5].every((index) => network.nodes[index]!.head().header.number >= goal))
      expect(network.node.validators().map(toHex)).toEqual(namesOf(members).sort())
      const { chain, consensus } = network.node
      const makers = chain.read((view) =>
        Array.from({ length: 8 }, (__, i) => toHex(consensus.signerOf(view.headerAt(BigInt(block + 4 + i))!.header))),
      )
      expect([...new Set(makers)].sort()).toEqual(namesOf(members).sort())
    } finally {
      await network.close()
    }
  })
})

describe.each([
  [ibft2Protocol, engines[0][1]],
  [qbftProtocol, engines[1][1]],
])('$name', (protocol, genesis) => {
  test('what those that are left have prepared with the others does not hold them', async () => {
    const network = openNetwork(genesis, six)
    try {
      network.reach(10)
      // All prepare, and nobody hears a commit.
      for (const { producer } of network.nodes) {
        const receive = producer.receive!
        Object.assign(producer, {
          receive: (name: string, code: number, data: Uint8Array, from: Address) =>
            code === protocol.codes.commit ? undefined : receive(name, code, data, from),
        })
      }
      network.clock.run(3000)
      for (const index of [2, 3]) {
        network.local.nodes.delete(network.nodes[index]!)
        network.nodes[index]!.producer.stop()
      }
      network.clock.run(5000)
      const block = Number(network.node.head().header.number) + 1
      const validators = namesOf([...four.slice(0, 2), ...six.slice(4)])
      const { text } = replaceValidators({ text: JSON.stringify(genesis), block, validators })
      for (const index of [0, 1, 4, 5]) await network.restart(index, JSON.parse(text))
      network.clock.runUntil(() => network.node.head().header.number >= BigInt(block + 3))
    } finally {
      await network.close()
    }
  })
})

describe('the genesis file', () => {
  const text = JSON.stringify(bftGenesis(qbftProtocol.codec, four, { qbft: terms }))
  const replaced = (from: string, block = 100) =>
    JSON.parse(replaceValidators({ text: from, block, validators: namesOf(six.slice(2)) }).text).config

  test('keeps what it has, and its transitions', () => {
    const before = JSON.parse(text)
    before.config.transitions = { qbft: [{ block: 50, blockperiodseconds: 3 }] }
    const config = replaced(JSON.stringify(before))
    expect(config.transitions.qbft).toEqual([
      { block: 50, blockperiodseconds: 3 },
      { block: 100, validators: namesOf(six.slice(2)) },
    ])
    expect(() => replaced(JSON.stringify(before), 50)).toThrow('transitions.qbft.block')
  })

  test('says of a contract that headers name the validators from then on', () => {
    const before = JSON.parse(text)
    before.config.qbft.validatorcontractaddress = `0x${'12'.repeat(20)}`
    expect(replaced(JSON.stringify(before)).transitions.qbft[0]).toMatchObject({
      validatorselectionmode: 'blockheader',
    })
  })

  test('says behind a fork by time that a block is a block', () => {
    const before = JSON.parse(text)
    Object.assign(before.config, { shanghaiTime: 0 })
    const config = replaced(JSON.stringify(before))
    expect(config.quoin).toEqual({ transitionsByTime: false })
  })
})

test('validators that are lost have to be some, and new ones none', () => {
  const now = ['0xaa', '0xbb', '0xcc']
  expect(changedValidators(now, ['0xbb'], ['0xdd', '0xee'])).toEqual(['0xaa', '0xcc', '0xdd', '0xee'])
  expect(() => changedValidators(now, ['0xdd'], [])).toThrow('0xdd is not a validator')
  expect(() => changedValidators(now, [], ['0xaa'])).toThrow('0xaa is a validator already')
  expect(() => changedValidators(now, [], [])).toThrow('nothing would change')
})
