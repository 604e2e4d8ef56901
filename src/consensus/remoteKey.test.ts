import { describe, expect, test } from 'vitest'
import { type Authority, authorities, bftGenesis, cliqueGenesis } from '../../test/support/authorityChain.ts'
import { closedAfterEach } from '../../test/support/closedAfterEach.ts'
import { openNetwork as open } from '../../test/support/localValidators.ts'
import { createSlowKey, type KeyMood } from '../../test/support/slowKey.ts'
import { logLines } from '../../test/support/validatorNode.ts'
import { equalBytes } from '../primitives/bytes.ts'
import { keccak256 } from '../primitives/keccak.ts'
import { ibft2Codec } from './ibft2/ibft2Codec.ts'
import { qbftCodec } from './qbft/qbftCodec.ts'

const openNetwork = closedAfterEach(open)
const four = authorities(4)
const [first] = four as [Authority]
const period = { blockperiodseconds: 2 }
const bft = { ...period, requesttimeoutseconds: 4 }
const engines = [
  ['clique', cliqueGenesis(four, period)],
  ['ibft2', bftGenesis(ibft2Codec, four, { ibft2: bft })],
  ['qbft', bftGenesis(qbftCodec, four, { qbft: bft })],
] as const

const aloneOf = {
  clique: cliqueGenesis([first], period),
  ibft2: bftGenesis(ibft2Codec, [first], { ibft2: bft }),
  qbft: bftGenesis(qbftCodec, [first], { qbft: bft }),
}

function openWith(genesis: object, moods: readonly (KeyMood | undefined)[], members = four) {
  const keys: ReturnType<typeof createSlowKey>[] = []
  const network = openNetwork(genesis, members, undefined, (index, clock) => {
    const mood = moods[index]
    if (!mood) return {}
    const key = createSlowKey(members[index]!.key, clock, mood)
    keys[index] = key
    return { key }
  })
  return { ...network, network, keys }
}

describe.each(engines)('%s', (kind, genesis) => {
  test('keys that take a while: all make blocks, and of each signature the content is told', () => {
    const slow = { delay: 30 }
    const { network, keys } = openWith(genesis, [slow, slow, slow, slow])
    network.reach(12)
    for (const { address } of four) expect(network.makers().some((maker) => equalBytes(maker, address))).toBe(true)
    for (const { asked } of keys) {
      expect(asked.length).toBeGreaterThan(0)
      for (const { digest, content } of asked) expect(keccak256(content())).toEqual(digest)
    }
  })

  test('a key that does not answer: blocks go on without its validator, which says so and comes back', () => {
    const mood: KeyMood = { delay: 1 }
    const { network } = openWith(genesis, [mood])
    const silence = () => logLines.filter((line) => line.includes('has not answered for')).length
    const back = () => logLines.filter((line) => line.includes('answers again')).length
    const before = [silence(), back()]
    network.reach(8)
    mood.delay = undefined
    network.reach(20)
    expect(silence()).toBe(before[0]! + 1)
    const at = network.makers().length
    network.reach(24)
    mood.delay = 1
    network.reach(36)
    expect(back()).toBe(before[1]! + 1)
    const makers = network.makers()
    expect(makers.slice(at + 1, 24).some((maker) => equalBytes(maker, first.address))).toBe(false)
    expect(makers.slice(26).some((maker) => equalBytes(maker, first.address))).toBe(true)
  })

  test('a key that refuses is not asked for the same again', () => {
    const mood: KeyMood = { delay: 1, refuses: () => true }
    const { network, keys } = openWith(genesis, [mood])
    network.reach(8)
    const seen = keys[0]!.asked.map(({ digest }) => Buffer.from(digest).toString('hex'))
    expect(new Set(seen).size).toBe(seen.length)
    expect(logLines.some((line) => line.includes('refuses to sign'))).toBe(true)
    expect(network.makers().some((maker) => equalBytes(maker, first.address))).toBe(false)
  })

  test('a sole validator whose key is slow', () => {
    const { network } = openWith(aloneOf[kind], [{ delay: 300 }], [first])
    network.reach(5)
  })
})
