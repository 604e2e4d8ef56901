import { createBftRound } from '../../src/consensus/bft/bftRound.ts'
import type { BftCrypto } from '../../src/consensus/bft/machine.ts'
import { createMessageSender } from '../../src/consensus/bft/messageSender.ts'
import { createOwnWords } from '../../src/consensus/bft/ownWords.ts'
import { toProposedBlock } from '../../src/consensus/bft/proposedBlock.ts'
import type { BftProtocol } from '../../src/consensus/bft/protocol.ts'
import { createSigning } from '../../src/consensus/bft/signing.ts'
import { toHash32 } from '../../src/primitives/bytes.ts'
import type { Authority } from '../support/authorityChain.ts'
import { blockFor } from '../support/machineNetwork.ts'
import type { BftNet } from './bftNet.ts'
import type { World } from './world.ts'

export interface StrangerParts {
  readonly world: World
  readonly net: BftNet
  readonly protocol: BftProtocol
  readonly key: Authority
  readonly crypto: BftCrypto
}

const maxAhead = 15

/** A node outside of the validators that is connected with all of them, and never stops talking. */
export function createStranger({ world, net, protocol, key, crypto }: StrangerParts) {
  const { random } = world

  /** Well-formed and well-signed, of this height or of one that is to come. */
  function claims(index: number): readonly (readonly [number, Uint8Array])[] {
    const words: [number, Uint8Array][] = []
    const parent = net.nodes[index]!.head()
    const height = parent.header.number + 1n + BigInt(random.below(maxAhead))
    const { address } = key
    const sender = createMessageSender(
      {
        ...{ protocol, address, words: createOwnWords(address), isCurrent: () => true },
        signing: createSigning(crypto.sign, () => {}),
      },
      height,
      (effect) => {
        if (effect.type === 'send') words.push([effect.code, effect.data])
      },
    )
    const round = createBftRound(random.below(6))
    const digest = toHash32(random.bytes(32))
    const timestamp = parent.header.timestamp + 1n
    const block = toProposedBlock(protocol.codec, blockFor(protocol, key, [key], { parent, round: 0, timestamp }))
    sender.propose(round, block, [], undefined, () => {})
    sender.prepare(round, digest, () => {})
    sender.commit(round, digest, crypto.sign(digest), () => {})
    sender.changeRound(round, undefined, () => {})
    return words
  }

  function garbage(): readonly [number, Uint8Array] {
    return [random.pick(Object.values(protocol.codes)), random.bytes(random.between(1, 60))]
  }

  /** Others' words under another code, before they come themselves. */
  function twist(data: Uint8Array): void {
    for (const index of net.nodes.keys())
      net.intrude(key.address, index, random.pick(Object.values(protocol.codes)), data)
  }

  function talk(): void {
    const index = random.below(net.nodes.length)
    const words = random.percent(60) ? claims(index) : [garbage()]
    for (const [code, data] of words) net.intrude(key.address, index, code, data)
    world.at(world.now() + random.between(20, 400), talk)
  }

  return {
    start(): void {
      talk()
      if (random.percent(40)) net.overhear(twist)
    },
  }
}
