import { describe, expect, test } from 'vitest'
import { type Authority, authorities, bftGenesis, cliqueGenesis } from '../../../test/support/authorityChain.ts'
import { closedAfterEach } from '../../../test/support/closedAfterEach.ts'
import { openNetwork as open } from '../../../test/support/validatorNetwork.ts'
import { logLines } from '../../../test/support/validatorNode.ts'
import { qbftCodec } from '../qbft/qbftCodec.ts'

const openNetwork = closedAfterEach(open)
const four = authorities(4)
const [first] = four as [Authority]
const period = { blockperiodseconds: 2 }
const engines = [
  ['clique', cliqueGenesis(four, period)],
  ['qbft', bftGenesis(qbftCodec, four, { qbft: { ...period, requesttimeoutseconds: 4 } })],
] as const

const warnings = () => logLines.filter((line) => line.includes('another process has made a block'))

describe.each(engines)('%s', (_, genesis) => {
  test('a second process with the key of a validator is named, once a minute', () => {
    const before = warnings().length
    const { nodes, reach } = openNetwork(genesis, [...four, first])
    nodes[0]!.producer.stop()
    reach(30)
    // It may still have made the blocks of the first minute itself.
    expect(warnings()).toHaveLength(before)
    reach(50)
    expect(warnings()).toHaveLength(before + 1)
  })

  test('what a validator has made itself is not, also after a restart', async () => {
    const before = warnings().length
    const network = openNetwork(genesis, four)
    network.reach(10)
    await network.restart(0)
    network.reach(50)
    expect(warnings()).toHaveLength(before)
  })
})
