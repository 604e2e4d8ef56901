import { describe, expect, test } from 'vitest'
import { type Authority, authorities, bftGenesis, cliqueGenesis } from '../../test/support/authorityChain.ts'
import { openNetwork, type Parcel } from '../../test/support/localValidators.ts'
import { type Address, equalBytes } from '../primitives/bytes.ts'
import { toHex } from '../primitives/hex.ts'
import { createBftReader } from './bft/bftReader.ts'
import type { BftProtocol } from './bft/protocol.ts'
import { kindOf, readMessage } from './bft/readMessage.ts'
import { ibft2Protocol } from './ibft2/ibft2Protocol.ts'
import { qbftProtocol } from './qbft/qbftProtocol.ts'
import { recoverSigner } from './recoverSeal.ts'

/** What a validator signed: its word on something, and on what. */
type Word = readonly [on: string, word: string]

/** A Clique signer's word is the block that it puts on a parent. */
function wordOfSigner({ content }: Parcel): Word | undefined {
  if (!('block' in content)) return undefined
  const { header, hash } = content.block
  return [`block on ${toHex(header.parentHash)}`, toHex(hash)]
}

function wordOfValidator(protocol: BftProtocol) {
  const reader = createBftReader(protocol, { recover: recoverSigner })
  return ({ content }: Parcel): Word | undefined => {
    if (!('code' in content)) return undefined
    const message = readMessage(protocol, kindOf(protocol, content.code)!, content.data, reader)
    if (message.kind === 'roundChange') return undefined
    const { height, round, digest } = message.signed.payload
    return [`${message.kind} ${height}/${round}`, toHex(digest)]
  }
}

/** Fails when one who was killed and came back has said two different things. */
function expectNoContradiction(sent: readonly Parcel[], of: Address, wordOf: (parcel: Parcel) => Word | undefined) {
  const words = new Map<string, string>()
  for (const parcel of sent) {
    if (!equalBytes(parcel.from, of)) continue
    const [on, word] = wordOf(parcel) ?? []
    if (on === undefined || word === undefined) continue
    expect([on, words.get(on) ?? word]).toEqual([on, word])
    words.set(on, word)
  }
  expect(words.size).toBeGreaterThan(0)
}

interface Death {
  readonly genesis: object
  readonly members: readonly Authority[]
  readonly wordOf: (parcel: Parcel) => Word | undefined
  /** Which of its writes the first member does not survive, counted from 0, and whether that still gets to the disk. */
  readonly at: number
  readonly when: 'before' | 'after'
  /** Height by which it must have come to that. */
  readonly by: number
}

/** Kills the first of a network, starts it again and lets all make blocks. False when it never came to that write. */
async function dieAndReturn({ genesis, members, wordOf, at, when, by }: Death): Promise<boolean> {
  let writes = -1
  let isArmed = false
  let isDead = false
  const network = openNetwork(genesis, members, (now) => {
    if (!isArmed) return
    if (now === 'before') writes++
    if (writes === at && now === when) {
      isDead = true
      network.local.nodes.delete(network.node)
    }
    if (isDead) throw new Error('killed')
  })
  isArmed = true
  try {
    const { clock, local, node, reach } = network
    // The hook's error passes through the writer: what comes after it is not performed, as after a kill.
    const isThere = () => isDead || node.head().header.number >= BigInt(by)
    while (!isThere())
      try {
        clock.runUntil(isThere)
      } catch (error) {
        if (!isDead) throw error
      }
    if (!isDead) return false
    // A block that is made again is another one by then.
    clock.run(3000)
    await network.restart(0)
    // A signer of Clique has its next turn within these.
    reach(by + 5)
    const hashes = network.nodes.map((one) => toHex(one.chain.read((view) => view.hashAt(BigInt(by) + 1n)!)))
    expect(new Set(hashes).size).toBe(1)
    expectNoContradiction(local.sent, members[0]!.address, wordOf)
    return true
  } finally {
    await network.close()
  }
}

const four = authorities(4)
const [first] = four as [Authority]
const terms = { blockperiodseconds: 1, requesttimeoutseconds: 2 }
const engines = [
  ['clique', (list: readonly Authority[]) => cliqueGenesis(list, { blockperiodseconds: 1 }), () => wordOfSigner],
  [
    'ibft2',
    (list: readonly Authority[]) => bftGenesis(ibft2Protocol.codec, list, { ibft2: terms }),
    () => wordOfValidator(ibft2Protocol),
  ],
  [
    'qbft',
    (list: readonly Authority[]) => bftGenesis(qbftProtocol.codec, list, { qbft: terms }),
    () => wordOfValidator(qbftProtocol),
  ],
] as const

describe.each(engines)('%s', (kind, genesisOf, wordOf) => {
  test('a lone validator that is killed at any write goes on, and contradicts itself never', async () => {
    const death = { genesis: genesisOf([first]), members: [first], wordOf: wordOf(), by: 1 }
    let at = 0
    while (await dieAndReturn({ ...death, at, when: 'before' })) at++
    // It signs and writes a block.
    expect(at).toBe(2)
    expect(await dieAndReturn({ ...death, at: 1, when: 'after' })).toBe(true)
  })

  test('one of four that is killed goes on with the others', async () => {
    // The first signer is in turn at height 4, the first validator proposes the first block.
    const by = kind === 'clique' ? 4 : 1
    const death = { genesis: genesisOf(four), members: four, wordOf: wordOf(), by }
    expect(await dieAndReturn({ ...death, at: 1, when: 'after' })).toBe(true)
    expect(await dieAndReturn({ ...death, at: 2, when: 'before' })).toBe(true)
  })
})
