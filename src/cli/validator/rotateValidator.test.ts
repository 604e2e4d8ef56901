import { describe, expect, test } from 'vitest'
import { authorities, bftGenesis, cliqueGenesis } from '../../../test/support/authorityChain.ts'
import { closedAfterEach } from '../../../test/support/closedAfterEach.ts'
import { openNetwork as open, type TestNetwork } from '../../../test/support/localValidators.ts'
import { ibft2Protocol } from '../../consensus/ibft2/ibft2Protocol.ts'
import { qbftProtocol } from '../../consensus/qbft/qbftProtocol.ts'
import { hexToAddress, toHex } from '../../primitives/hex.ts'
import { rotateValidator } from './rotateValidator.ts'
import type { ValidatorApi } from './validatorApi.ts'

const openNetwork = closedAfterEach(open)
const five = authorities(5)
const four = five.slice(0, 4)
const [old, next] = [toHex(five[0]!.address), toHex(five[4]!.address)]
const terms = { blockperiodseconds: 1, requesttimeoutseconds: 2 }
const engines = [
  ['clique', cliqueGenesis(four, { blockperiodseconds: 1 })],
  ['ibft', bftGenesis(ibft2Protocol.codec, four, { ibft2: terms })],
  ['qbft', bftGenesis(qbftProtocol.codec, four, { qbft: terms })],
] as const

/** What a node's JSON-RPC answers, of a node without servers. */
function apiOf({ nodes }: TestNetwork, index: number, engine: ValidatorApi['engine']): ValidatorApi {
  const node = () => nodes[index]!
  return {
    url: `node${index}`,
    engine,
    selection: 'votes',
    validators: async () => node().validators().map(toHex),
    head: async () => Number(node().head().header.number),
    address: async () => toHex(node().address),
    async lastBlocks() {
      const { chain, consensus } = node()
      const numbers = Array.from({ length: Number(node().head().header.number) }, (_, i) => BigInt(i + 1))
      return chain.read(
        (view) =>
          new Map(numbers.map((number) => [toHex(consensus.signerOf(view.headerAt(number)!.header)), Number(number)])),
      )
    },
    vote: async (subject, add) => node().votes.propose(hexToAddress(subject), add),
    discard: async (subject) => void node().votes.discard(hexToAddress(subject)),
    voteRequest: (subject, add) => `${subject} ${add}`,
  }
}

describe.each(engines)('%s', (engine, genesis) => {
  function begin(votes: number) {
    const network = openNetwork(genesis, four)
    network.reach(20)
    const said: string[] = []
    const [first, ...rest] = Array.from({ length: votes }, (_, i) => apiOf(network, i, engine))
    const ports = {
      nodes: [first!, ...rest] as const,
      say: (line: string) => void said.push(line),
      pause: async () => network.clock.run(1000),
    }
    return { network, said, ports }
  }

  test('the new key is voted in, the old one out, and no vote is left', async () => {
    const { network, said, ports } = begin(3)
    expect(await rotateValidator({ from: old, to: next }, ports)).toBe('switch')
    expect(network.node.validators().map(toHex)).toEqual(
      [...four.slice(1), five[4]!].map((one) => toHex(one.address)).sort(),
    )
    for (const { votes } of network.nodes) expect(votes.pending()).toEqual([])
    expect(said.join('\n')).toContain(`${next} is a validator, seen at block`)
    // The same again finds everything done.
    expect(await rotateValidator({ from: old, to: next }, ports)).toBe('switch')
  })

  test('the votes of others are waited for, and said how', async () => {
    const { network, said, ports } = begin(1)
    let looks = 0
    const pause = async () => {
      if (++looks === 5) for (const { votes } of network.nodes.slice(1)) votes.propose(five[4]!.address, true)
      if (looks === 60) for (const { votes } of network.nodes.slice(1)) votes.propose(five[0]!.address, false)
      await ports.pause()
    }
    expect(await rotateValidator({ from: old, to: next }, { ...ports, pause })).toBe('switch')
    expect(said.join('\n')).toContain(`curl 127.0.0.1:8545 -d '${next} true'`)
    expect(looks).toBeGreaterThan(60)
  })

  // Two of four signers of Clique stand still themselves.
  test.skipIf(engine === 'clique')('nothing is begun where the others are not enough without it', async () => {
    const { network, ports } = begin(3)
    network.local.nodes.delete(network.nodes[3]!)
    network.clock.run(30_000)
    await expect(rotateValidator({ from: old, to: next }, ports)).rejects.toThrow('the network would stand still')
    expect(network.node.votes.pending()).toEqual([])
  })

  test('a node with the new key is waited for', async () => {
    const { ports, said } = begin(1)
    expect(await rotateValidator({ from: next, to: old }, ports)).toBe('done')
    expect(said.at(-1)).toContain(`${old} has made block`)
  })
})

test('a validator that is alone is not brought to stand still, and one that is none is told', async () => {
  const genesis = bftGenesis(qbftProtocol.codec, four.slice(0, 1), { qbft: terms })
  const network = openNetwork(genesis, four.slice(0, 1))
  network.reach(3)
  const nodes = [apiOf(network, 0, 'qbft')] as const
  const ports = { nodes, say: () => {}, pause: async () => {} }
  await expect(rotateValidator({ from: old, to: next }, ports)).rejects.toThrow('There is one validator')
  await expect(rotateValidator({ from: `0x${'11'.repeat(20)}`, to: next }, ports)).rejects.toThrow('is not a validator')
})
