import { describe, expect, test } from 'vitest'
import type { Authority } from '../../../test/support/authorityChain.ts'
import {
  type BftNetwork,
  blockFor,
  cheapCryptoOf,
  createBftNetwork,
  type Parcel,
} from '../../../test/support/machineNetwork.ts'
import { equalBytes } from '../../primitives/bytes.ts'
import { ibft2Protocol } from '../ibft2/ibft2Protocol.ts'
import { qbftProtocol } from '../qbft/qbftProtocol.ts'
import type { BftEvent } from './machine.ts'
import type { BftKind } from './messages.ts'
import { encodeSigned } from './payloads.ts'
import { toProposedBlock } from './proposedBlock.ts'
import { createProposerOrder } from './proposer.ts'
import type { BftProtocol } from './protocol.ts'

interface Crash {
  readonly protocol: BftProtocol
  readonly loses: (parcel: Parcel) => boolean
  readonly victim: number
  /** Four unless said otherwise. */
  readonly validators?: number
  /** Effects that the victim still performs. */
  readonly cut: number
  /** Starts again as if nothing had been on disk. */
  readonly forget?: boolean
}

const rounds = [0, 1, 2, 3]

/** Proposals of other blocks for the height that a validator is at, made with the keys of everyone. */
function otherProposals(protocol: BftProtocol, { keys, headOf }: BftNetwork, victim: number): BftEvent[] {
  const parent = headOf(victim)
  const height = parent.header.number + 1n
  const addresses = keys.map(({ address }) => address)
  const order = createProposerOrder(addresses, parent.header.beneficiary)
  const sign = (one: Authority, kind: BftKind, payload: Uint8Array) =>
    encodeSigned(payload, cheapCryptoOf(one).sign(protocol.signingDigest(protocol.codes[kind], payload)))
  return rounds.map((round) => {
    const view = { height, round }
    const proposer = keys.find(({ address }) => equalBytes(address, order(round)))!
    const plan = { parent, round, timestamp: parent.header.timestamp + 1n }
    const minerExtraData = Uint8Array.of(0xff, round)
    const block = toProposedBlock(protocol.codec, blockFor(protocol, proposer, keys, plan, { minerExtraData }))
    const signed = sign(proposer, 'proposal', protocol.encodeProposalPayload(view, block))
    const changes = keys.map((one) => sign(one, 'roundChange', protocol.encodeRoundChangePayload(view, undefined)))
    const data = protocol.encodeProposal(signed, block, round === 0 ? [] : changes, undefined)
    return { type: 'message', code: protocol.codes.proposal, data, from: undefined }
  })
}

/** Ends a validator at a point of its life and starts it again among other proposals; false when it never gets there. */
function crash({ protocol, loses, victim, cut, validators = 4, forget = false }: Crash): boolean {
  let performed = 0
  let isDead = false
  const network = createBftNetwork({
    protocol,
    validators,
    crypto: cheapCryptoOf,
    // Everyone is connected with everyone: gossip would only pass on what is made up below.
    loses: (parcel) => parcel.isGossip || loses(parcel),
    watch(_, index) {
      if (index !== victim || isDead || performed++ < cut) return true
      isDead = true
      return false
    },
  })
  network.startAll()
  network.runUntil(() => isDead || network.headOf(victim).header.number > 0n)
  if (!isDead) return false
  const validator = network.validators[victim]!
  // It would make another block now.
  validator.minerExtraData = Uint8Array.of(cut + 1)
  if (forget) validator.record = undefined
  network.start(victim)
  for (const proposal of otherProposals(protocol, network, victim)) network.handle(victim, proposal)
  network.runUntil(() => network.heights().every((number) => number >= 1n))
  return true
}

const ways: Readonly<Record<string, (parcel: Parcel) => boolean>> = {
  'all goes well': () => false,
  'nobody commits in round 0': ({ kind, height, round }) => kind === 'commit' && height === 1n && round === 0,
  'nobody prepares in round 0': ({ kind, height, round }) => kind === 'prepare' && height === 1n && round === 0,
  'nobody proposes in round 0': ({ kind, height, round }) => kind === 'proposal' && height === 1n && round === 0,
}

for (const protocol of [ibft2Protocol, qbftProtocol])
  describe(protocol.name, () => {
    describe.each(Object.entries(ways))('when %s', (_, loses) => {
      test.each([0, 1, 2])('validator %i never contradicts itself, wherever it is killed', (victim) => {
        let cut = 0
        while (crash({ protocol, loses, victim, cut })) cut++
        expect(cut).toBeGreaterThan(3)
      })
    })

    test('one that is alone goes on where it was', () => {
      let cut = 0
      while (crash({ protocol, loses: () => false, victim: 0, validators: 1, cut })) cut++
      expect(cut).toBeGreaterThan(3)
    })

    test('without its record it would', () => {
      const contradictions: string[] = []
      for (let cut = 0; ; cut++)
        try {
          if (!crash({ protocol, loses: () => false, victim: 1, cut, forget: true })) break
        } catch (error) {
          contradictions.push((error as Error).message)
        }
      expect(contradictions.length).toBeGreaterThan(0)
      for (const message of contradictions) expect(message).toMatch(/^two different: /)
    })
  })
