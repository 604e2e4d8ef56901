import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { type Authority, authorities, bftGenesis, cliqueGenesis } from '../../test/support/authorityChain.ts'
import { openNetwork, type TestNetwork } from '../../test/support/localValidators.ts'
import { logLines } from '../../test/support/validatorNode.ts'
import { contradictionsIn } from '../../test/support/wireWords.ts'
import { equalBytes } from '../primitives/bytes.ts'
import { ibft2Protocol } from './ibft2/ibft2Protocol.ts'
import { qbftProtocol } from './qbft/qbftProtocol.ts'

const four = authorities(4)
const [first] = four as [Authority]
const terms = { blockperiodseconds: 1, requesttimeoutseconds: 2 }
const engines = [
  ['clique', cliqueGenesis(four, { blockperiodseconds: 1 }), undefined],
  ['ibft2', bftGenesis(ibft2Protocol.codec, four, { ibft2: terms }), ibft2Protocol],
  ['qbft', bftGenesis(qbftProtocol.codec, four, { qbft: terms }), qbftProtocol],
] as const

const warnings = () => logLines.filter((line) => line.includes('this process knows nothing of it'))

describe.each(engines)('%s', (_, genesis, protocol) => {
  async function withNetwork(
    members: readonly Authority[],
    run: (network: TestNetwork, copy: string) => Promise<void>,
  ) {
    const copy = mkdtempSync(join(tmpdir(), 'quoin-twins-'))
    let seed = 1
    // Each process has its own chance.
    const random = () => (seed = (seed * 16_807) % 2_147_483_647) / 2_147_483_647
    const network = openNetwork(genesis, members, undefined, () => ({ random }))
    try {
      await run(network, copy)
      expect(contradictionsIn(network.local.sent, protocol)).toEqual([])
    } finally {
      await network.close()
      rmSync(copy, { recursive: true })
    }
  }

  const heightOf = ({ nodes }: TestNetwork) => Number(nodes[1]!.head().header.number)
  /** Whether the first key has made a block after a height. */
  const makes = ({ nodes }: TestNetwork, after: number) =>
    nodes[1]!.chain.read((view) => {
      for (let number = BigInt(after + 1); number <= view.head.header.number; number++) {
        const { header } = view.headerAt(number)!
        if (equalBytes(nodes[1]!.consensus.signerOf(header), first.address)) return true
      }
      return false
    })
  /** Lets the network go on until the first key makes blocks. */
  function untilItMakes(network: TestNetwork) {
    const from = heightOf(network)
    network.clock.runUntil(() => makes(network, from))
    return heightOf(network) - from
  }

  test('a process with a copy of the key and nothing else is silent while the other one runs, and takes its place afterwards', () =>
    withNetwork([...four, first], async (network) => {
      const [one, , , , other] = network.nodes as [typeof network.node, ...typeof network.nodes]
      other!.producer.stop()
      network.reach(12)
      const before = warnings().length
      other!.producer.start()
      network.reach(36)
      expect(warnings().length).toBeGreaterThan(before)
      one.producer.stop()
      network.local.nodes.delete(one)
      expect(untilItMakes({ ...network, nodes: network.nodes.slice(1) })).toBeLessThan(40)
    }))

  test('a data folder that was copied back does not make it say anything else than before, and it goes on', () =>
    withNetwork(four, async (network, copy) => {
      network.reach(12)
      await network.restart(0, undefined, (path) => cpSync(path, copy, { recursive: true }))
      network.reach(30)
      await network.restart(0, undefined, (path) => {
        rmSync(path, { recursive: true })
        cpSync(copy, path, { recursive: true })
      })
      expect(untilItMakes(network)).toBeLessThan(40)
    }))
})
