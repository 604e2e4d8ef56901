import { expect, test } from 'vitest'
import { authorities, bftGenesis } from '../../test/support/authorityChain.ts'
import { closedAfterEach } from '../../test/support/closedAfterEach.ts'
import { openNetwork as open } from '../../test/support/localValidators.ts'
import { createSlowKey } from '../../test/support/slowKey.ts'
import { ibft2Codec } from '../consensus/ibft2/ibft2Codec.ts'
import { qbftCodec } from '../consensus/qbft/qbftCodec.ts'
import { createLocalKey, SigningRefused, type ToSign } from '../keys/nodeIdentity.ts'
import { equalBytes } from '../primitives/bytes.ts'
import { createKeyRecord, decide } from './decide.ts'
import { KeyServerError } from './fault.ts'
import { readClaim } from './readClaim.ts'

const openNetwork = closedAfterEach(open)
const four = authorities(4)
const terms = { blockperiodseconds: 1, requesttimeoutseconds: 2 }

/** A key server that remembers and says nothing, while it is told to. */
function createServer(privateKey: Uint8Array) {
  const key = createLocalKey(privateKey)
  let record = createKeyRecord(0n)
  const server = {
    losesCommits: false,
    lost: 0,
    sign({ kind, digest, content }: ToSign): Uint8Array {
      const claim = readClaim(kind, content())
      try {
        record = decide(record, claim)
      } catch (error) {
        if (error instanceof KeyServerError) throw new SigningRefused(error.message)
        throw error
      }
      if (server.losesCommits && claim.type === 'bft' && claim.commits) {
        server.lost++
        throw new Error('the answer is lost')
      }
      return key.sign(digest)
    },
  }
  return server
}

test.each([
  ['ibft2', bftGenesis(ibft2Codec, four, { ibft2: terms })],
  ['qbft', bftGenesis(qbftCodec, four, { qbft: terms })],
])('%s: all validators end after their key servers have committed, and go on', async (_, genesis) => {
  const servers = four.map(({ key }) => createServer(key))
  const network = openNetwork(genesis, four, undefined, (index, clock) => ({
    key: createSlowKey(four[index]!.key, clock, { delay: 1 }, servers[index]!.sign),
  }))
  network.reach(5)
  for (const server of servers) server.losesCommits = true
  network.clock.runUntil(() => servers.every(({ lost }) => lost > 0))
  const [before] = network.nodes.map(({ head }) => head())
  for (const server of servers) server.losesCommits = false
  for (const index of four.keys()) await network.restart(index)
  network.reach(Number(before!.header.number) + 3)
  expect(network.nodes.every(({ head }) => equalBytes(head().hash, network.node.head().hash))).toBe(true)
})

test('one that is alone does so, too', async () => {
  const [first] = four
  const server = createServer(first!.key)
  const genesis = bftGenesis(qbftCodec, [first!], { qbft: terms })
  const network = openNetwork(genesis, [first!], undefined, (_, clock) => ({
    key: createSlowKey(first!.key, clock, { delay: 1 }, server.sign),
  }))
  network.reach(3)
  server.losesCommits = true
  network.clock.runUntil(() => server.lost > 0)
  server.losesCommits = false
  await network.restart(0)
  network.reach(6)
})
