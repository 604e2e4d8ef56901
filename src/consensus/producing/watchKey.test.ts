import { describe, expect, test } from 'vitest'
import { type Authority, authorities, bftGenesis, cliqueGenesis } from '../../../test/support/authorityChain.ts'
import { closedAfterEach } from '../../../test/support/closedAfterEach.ts'
import { openNetwork as open } from '../../../test/support/localValidators.ts'
import { logLines } from '../../../test/support/validatorNode.ts'
import { createLocalKey } from '../../keys/nodeIdentity.ts'
import { toHash32 } from '../../primitives/bytes.ts'
import { toHex } from '../../primitives/hex.ts'
import { encodeDigestPayload, encodeSigned } from '../bft/payloads.ts'
import { qbftCodec } from '../qbft/qbftCodec.ts'
import { qbftProtocol } from '../qbft/qbftProtocol.ts'

const openNetwork = closedAfterEach(open)
const four = authorities(4)
const [first] = four as [Authority]
const period = { blockperiodseconds: 2 }
const engines = [
  ['clique', cliqueGenesis(four, period)],
  ['qbft', bftGenesis(qbftCodec, four, { qbft: { ...period, requesttimeoutseconds: 4 } })],
] as const

const warnings = () => logLines.filter((line) => line.includes('another process has made a block'))

test('what others sign with the key of a BFT validator is named with who passed it on, once a minute', () => {
  const { node, nodes, reach } = openNetwork(engines[1][1], four)
  reach(40)
  const { sign } = createLocalKey(first.key)
  const receive = (digest: number) => {
    const view = { height: node.head().header.number + 1n, round: 0, digest: toHash32(new Uint8Array(32).fill(digest)) }
    const payload = encodeDigestPayload(qbftProtocol, view)
    const code = qbftProtocol.codes.prepare
    const data = encodeSigned(payload, sign(qbftProtocol.signingDigest(code, payload)))
    node.producer.receive!(qbftProtocol.wire.name, code, data, nodes[1]!.address)
  }
  const told = () => logLines.filter((line) => line.includes('another process signs with the key of this validator'))
  expect(told()).toEqual([])
  receive(1)
  receive(2)
  expect(told()).toHaveLength(1)
  expect(told()[0]).toContain(toHex(nodes[1]!.address))
  reach(80)
  receive(3)
  expect(told()).toHaveLength(2)
})

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
