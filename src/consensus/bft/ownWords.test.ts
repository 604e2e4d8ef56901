import { describe, expect, test } from 'vitest'
import type { Authority } from '../../../test/support/authorityChain.ts'
import { type BftNetwork, blockFor, cheapCryptoOf, createBftNetwork } from '../../../test/support/machineNetwork.ts'
import { equalBytes, zeroHash } from '../../primitives/bytes.ts'
import { ibft2Protocol } from '../ibft2/ibft2Protocol.ts'
import { qbftProtocol } from '../qbft/qbftProtocol.ts'
import type { BftEffect } from './machine.ts'
import type { BftKind } from './messages.ts'
import { encodeDigestPayload, encodeSigned } from './payloads.ts'
import { toProposedBlock } from './proposedBlock.ts'
import { createProposerOrder } from './proposer.ts'

type Foreign = Extract<BftEffect, { type: 'foreign' }>

/** Blocks of one second each until a machine looks at what comes with its own key. */
const settled = 64n

describe.each([[ibft2Protocol], [qbftProtocol]])('$name', (protocol) => {
  const { codes } = protocol

  /** Four validators of whom one is told what another process says with its key. */
  function open(loses?: Parameters<typeof createBftNetwork>[0]['loses']) {
    const found: Foreign[] = []
    const own: { readonly code: number; readonly data: Uint8Array }[] = []
    const network = createBftNetwork({
      protocol,
      crypto: cheapCryptoOf,
      ...(loses && { loses }),
      watch(effect, index) {
        if (effect.type === 'foreign') found.push(effect)
        if (effect.type === 'send' && index === 0) own.push(effect)
        return true
      },
    })
    network.startAll()
    const reach = (height: bigint) => network.runUntil(() => network.heights().every((number) => number >= height))
    const receive = (code: number, data: Uint8Array) =>
      network.handle(0, { type: 'message', code, data, from: network.keys[1]!.address })
    return { network, found, own, reach, receive }
  }

  const sign = (who: Authority, kind: BftKind, payload: Uint8Array) =>
    encodeSigned(payload, cheapCryptoOf(who).sign(protocol.signingDigest(codes[kind], payload)))

  function prepare({ keys, headOf }: BftNetwork): Uint8Array {
    const view = { height: headOf(0).header.number + 1n, round: 0, digest: zeroHash }
    return sign(keys[0]!, 'prepare', encodeDigestPayload(protocol, view))
  }

  test('what another process says with the key of a validator is told, with who passed it on', () => {
    const { network, found, reach, receive } = open()
    reach(settled)
    receive(codes.prepare, prepare(network))
    const word = { kind: 'prepare', height: network.headOf(0).header.number + 1n, round: 0 }
    expect(found).toEqual([{ type: 'foreign', word, address: network.keys[1]!.address }])
  })

  test('so is what others quote of it', () => {
    const { network, found, reach, receive } = open()
    reach(settled)
    const { keys, headOf } = network
    const parent = headOf(0)
    const view = { height: parent.header.number + 1n, round: 1 }
    const order = createProposerOrder(
      keys.map(({ address }) => address),
      parent.header.beneficiary,
    )
    const proposer = keys.find(({ address }) => equalBytes(address, order(1)))!
    const plan = { parent, round: 1, timestamp: parent.header.timestamp + 1n }
    const block = toProposedBlock(protocol.codec, blockFor(protocol, proposer, keys, plan))
    const signed = sign(proposer, 'proposal', protocol.encodeProposalPayload(view, block))
    const changes = keys.map((one) => sign(one, 'roundChange', protocol.encodeRoundChangePayload(view, undefined)))
    receive(codes.proposal, protocol.encodeProposal(signed, block, changes, undefined))
    expect(found.map(({ word }) => word)).toContainEqual({ kind: 'roundChange', ...view })
  })

  test('what a validator has said itself comes back without a word, and so does what it may have said before a restart', () => {
    const { network, found, own, reach, receive } = open()
    reach(settled)
    const height = network.headOf(0).header.number
    // All of the height in progress and of those before.
    for (const { code, data } of [...own]) receive(code, data)
    expect(network.headOf(0).header.number).toBe(height)
    network.start(0)
    receive(codes.prepare, prepare(network))
    for (const { code, data } of [...own]) receive(code, data)
    expect(found).toEqual([])
  })

  test('rounds that fail and validators that start again raise no alarm', () => {
    const { network, found, reach } = open(
      ({ kind, height, round }) => round === 0 && height % 3n === 0n && (kind === 'commit' || height % 2n === 0n),
    )
    for (let height = 10n; height <= 200n; height += 10n) {
      reach(height)
      if (height > 100n) network.start(Number(height / 10n) % 4)
    }
    expect(found).toEqual([])
  })
})
