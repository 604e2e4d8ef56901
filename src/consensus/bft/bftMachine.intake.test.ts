import { describe, expect, test } from 'vitest'
import { type Authority, authorities } from '../../../test/support/authorityChain.ts'
import { blockFor, cheapCryptoOf, createBftNetwork } from '../../../test/support/machineNetwork.ts'
import { defaultMessageLimits } from '../../forks/consensusConfig.ts'
import { equalBytes, toAddress, toHash32, zeroHash } from '../../primitives/bytes.ts'
import { toHex } from '../../primitives/hex.ts'
import { decodeRlp, encodeRlp, rlpList } from '../../primitives/rlp.ts'
import { encodeBlock } from '../../types/block.ts'
import { ibft2Protocol } from '../ibft2/ibft2Protocol.ts'
import { qbftProtocol } from '../qbft/qbftProtocol.ts'
import { createBftMachine } from './bftMachine.ts'
import type { BftEffect } from './machine.ts'
import { inEncoding } from './messageEncoding.ts'
import type { BftKind } from './messages.ts'
import { encodeDigestPayload, encodeSigned } from './payloads.ts'
import { toProposedBlock } from './proposedBlock.ts'
import { kindOf } from './readMessage.ts'

const four = authorities(4)
const [a, b, c] = four as [Authority, Authority, Authority]
const outsider = authorities(5).find(({ key }) => four.every((one) => !equalBytes(one.key, key)))!
const peer = toAddress(new Uint8Array(20).fill(9))

test('a QBFT proposal with bytes behind its extra data is voted on without them', () => {
  const protocol = qbftProtocol
  const { codes } = protocol
  const network = createBftNetwork({ protocol, crypto: cheapCryptoOf })
  network.start(1)
  const parent = network.headOf(1)
  const votes = four.toSpliced(1, 1).flatMap((proposer) => {
    const plan = { parent, round: 0, timestamp: parent.header.timestamp + 1n }
    const proposed = toProposedBlock(protocol.codec, blockFor(protocol, proposer, four, plan))
    const { block, digest } = proposed
    const extraData = encodeRlp([...rlpList(decodeRlp(block.header.extraData)), new Uint8Array(1000)])
    const bytes = encodeBlock({ ...block, header: { ...block.header, extraData } })
    const payload = protocol.encodeProposalPayload({ height: 1n, round: 0 }, { ...proposed, bytes })
    const signed = encodeSigned(payload, cheapCryptoOf(proposer).sign(protocol.signingDigest(codes.proposal, payload)))
    const data = protocol.encodeProposal(signed, proposed, [], undefined)
    const effects = network.validators[1]!.machine!.handle(
      { type: 'message', code: codes.proposal, data, from: peer },
      0,
    )
    return effects.flatMap((effect) =>
      effect.type === 'send' && effect.code === codes.prepare ? [{ data: effect.data, digest }] : [],
    )
  })
  // One of them is the proposer of this round.
  expect(votes).toHaveLength(1)
  const [{ data, digest }] = votes as [(typeof votes)[number]]
  const payload = encodeDigestPayload(protocol, { height: 1n, round: 0, digest })
  expect(data).toEqual(encodeSigned(payload, cheapCryptoOf(b).sign(protocol.signingDigest(codes.prepare, payload))))
})

describe.each([[ibft2Protocol], [qbftProtocol]])('$name', (protocol) => {
  const { codes } = protocol

  /** The first of four validators, alone. */
  function open() {
    const network = createBftNetwork({ protocol, crypto: cheapCryptoOf })
    network.start(0)
    const machine = network.validators[0]!.machine!
    return {
      machine,
      parent: network.headOf(0),
      receive: (code: number, data: Uint8Array, now = 0, from = peer): readonly BftEffect[] =>
        machine.handle({ type: 'message', code, data, from }, now),
    }
  }

  const sign = (who: Authority, kind: BftKind, payload: Uint8Array) =>
    encodeSigned(payload, cheapCryptoOf(who).sign(protocol.signingDigest(codes[kind], payload)))
  const prepare = (who: Authority, height: bigint, round = 0) =>
    sign(who, 'prepare', encodeDigestPayload(protocol, { height, round, digest: zeroHash }))

  test('messages of validators are passed on once, whatever they say', () => {
    const { receive } = open()
    const data = prepare(b, 1n)
    expect(receive(codes.prepare, data)).toEqual([
      { type: 'gossip', code: codes.prepare, data, author: b.address, mayWait: false, except: [b.address, peer] },
    ])
    expect(receive(codes.prepare, data)).toEqual([])
  })

  test('what its author repeats is passed on again, to those who have not sent it, and not for each copy', () => {
    const { receive } = open()
    const data = prepare(b, 1n)
    receive(codes.prepare, data)
    expect(receive(codes.prepare, data, 1000, c.address)).toEqual([])
    const except = [b.address, peer, c.address]
    const again = { type: 'gossip', code: codes.prepare, data, author: b.address, mayWait: false, except }
    expect(receive(codes.prepare, data, 2000, b.address)).toEqual([again])
    expect(receive(codes.prepare, data, 2100, peer)).toEqual([])
    // Clocks may be set back.
    expect(receive(codes.prepare, data, -60_000, peer)).toEqual([again])
  })

  test('strangers and echoes are not', () => {
    const { receive } = open()
    const reason = `its author ${toHex(outsider.address)} is not a validator`
    expect(receive(codes.prepare, prepare(outsider, 1n))).toEqual([
      { type: 'rubbish', address: peer, kind: 'prepare', reason },
    ])
    expect(receive(codes.prepare, prepare(a, 1n))).toEqual([])
  })

  test('who writes in which encoding is told, and one message in both is one', () => {
    const { receive } = open()
    const payload = protocol.encodeRoundChangePayload({ height: 1n, round: 1 }, undefined)
    const data = protocol.encodeRoundChange(sign(b, 'roundChange', payload), undefined)
    const listed = inEncoding(protocol, 'roundChange', data, 'accessList', undefined)!
    const effects = receive(codes.roundChange, listed)
    expect(effects).toContainEqual({ type: 'encoding', author: b.address, from: peer, encoding: 'accessList' })
    expect(effects).toContainEqual(expect.objectContaining({ type: 'gossip', data: listed }))
    expect(receive(codes.roundChange, data)).toEqual([])
  })

  test('a message that was forgotten is read again but not passed on again', () => {
    const { receive } = open()
    const data = prepare(b, 1n)
    receive(codes.prepare, data)
    for (let round = 1; round <= 100; round++) receive(codes.prepare, prepare(c, 1n, round))
    expect(receive(codes.prepare, data)).toEqual([])
  })

  test('what is below the head is dropped', () => {
    expect(open().receive(codes.prepare, prepare(b, 0n))).toEqual([])
  })

  test('what is ahead waits, and tells how far the peer is', () => {
    const { machine, parent, receive } = open()
    const data = prepare(b, 3n)
    expect(receive(codes.prepare, data)).toEqual([{ type: 'peerAhead', address: peer }])
    const headAt = (number: bigint) => ({
      header: { ...parent.header, number, beneficiary: b.address },
      hash: toHash32(new Uint8Array(32).fill(Number(number))),
    })
    const gossips = (number: bigint) =>
      machine.handle({ type: 'head', head: headAt(number) }, 0).filter(({ type }) => type === 'gossip')
    expect(gossips(1n)).toEqual([])
    expect(gossips(2n)).toEqual([
      { type: 'gossip', code: codes.prepare, data, author: b.address, mayWait: false, except: [b.address, peer] },
    ])
    expect(machine.status()).toMatchObject({ height: 3n, isValidator: true })
  })

  test('the head that it knows changes nothing', () => {
    const { machine, parent } = open()
    expect(machine.handle({ type: 'head', head: parent }, 0)).toEqual([])
  })

  test('bytes that are not a message are held against the sender', () => {
    const { receive } = open()
    const good = prepare(b, 1n)
    const bad = [
      new Uint8Array(0),
      Uint8Array.of(0xc0),
      Uint8Array.of(0xc1, 0xc0),
      Uint8Array.of(0x80),
      good.subarray(1),
      good.subarray(0, -1),
      encodeRlp([encodeRlp([]), new Uint8Array(65)]),
      encodeRlp([[protocol.height.write(1n), protocol.round.write(0)], new Uint8Array(65)]),
      new Uint8Array(1000).fill(0xff),
    ]
    for (const data of bad)
      for (const code of [...Object.values(codes), 99])
        expect(receive(code, data)).toEqual([
          { type: 'rubbish', address: peer, kind: kindOf(protocol, code), reason: expect.stringMatching(/./) },
        ])
    expect(receive(99, good)).toMatchObject([{ kind: undefined, reason: 'no message has code 99' }])
    expect(receive(codes.proposal, encodeRlp([encodeRlp([])]))).toMatchObject([
      { kind: 'proposal', reason: 'RLP_WRONG_KIND (want: list)' },
    ])
  })

  test('one who is no validator stands by until it is one', () => {
    const network = createBftNetwork({
      protocol,
      crypto: cheapCryptoOf,
      decide: (index, head) => index > 0 || head > 0n,
    })
    network.start(0)
    const machine = network.validators[0]!.machine!
    const receive = (data: Uint8Array) => machine.handle({ type: 'message', code: codes.prepare, data, from: peer }, 0)
    expect(machine.status()).toMatchObject({ height: 1n, round: -1, isValidator: false })
    expect(receive(prepare(b, 1n))).toEqual([])
    const head = { header: { ...network.headOf(0).header, number: 1n }, hash: toHash32(new Uint8Array(32).fill(1)) }
    expect(machine.handle({ type: 'head', head }, 0)).not.toEqual([])
    expect(receive(prepare(b, 2n))).toHaveLength(1)
  })

  test('a message of a stranger costs one signature, however many are listed in it', () => {
    let recovered = 0
    const network = createBftNetwork({
      protocol,
      crypto: (authority) => {
        const cheap = cheapCryptoOf(authority)
        return {
          ...cheap,
          recover(digest, signature) {
            recovered++
            return cheap.recover(digest, signature)
          },
        }
      },
    })
    network.start(0)
    const machine = network.validators[0]!.machine!
    const prepares = Array.from({ length: 500 }, (_, round) => prepare(b, 1n, round))
    const view = { height: 1n, round: 1 }
    const changeOf = (who: Authority) => {
      const plan = { parent: network.headOf(0), round: 0, timestamp: network.headOf(0).header.timestamp + 1n }
      const block = toProposedBlock(protocol.codec, blockFor(protocol, b, four, plan))
      const signed = prepares.map((bytes) => ({ payload: { ...view, digest: zeroHash }, author: b.address, bytes }))
      const certificate = { round: 0, digest: zeroHash, proposal: signed[0], prepares: signed }
      const change = sign(who, 'roundChange', protocol.encodeRoundChangePayload(view, certificate))
      return protocol.encodeRoundChange(change, { block, certificate })
    }
    for (const who of [outsider, c]) {
      recovered = 0
      const event = { type: 'message', code: codes.roundChange, data: changeOf(who), from: peer } as const
      expect(machine.handle(event, 0)).toMatchObject([{ type: 'rubbish', address: peer, kind: 'roundChange' }])
      // IBFT 2.0 proves a claim by the proposal, too.
      expect(recovered).toBeLessThanOrEqual(2)
    }
  })

  test('the same bytes under another code do not hide the message', () => {
    const { receive } = open()
    const data = prepare(b, 1n)
    receive(codes.commit, data)
    receive(codes.roundChange, data)
    expect(receive(codes.prepare, data).map(({ type }) => type)).toContain('gossip')
  })

  test('a block that cannot be built leaves a timer, and is told of', () => {
    const network = createBftNetwork({ protocol, validators: 1, crypto: cheapCryptoOf })
    const failure = new Error('no room on the disk')
    const machine = createBftMachine({
      protocol,
      address: a.address,
      crypto: cheapCryptoOf(a),
      blocks: {
        build() {
          throw failure
        },
        flawOf: () => undefined,
        hasTransactions: () => false,
      },
      validatorsAfter: () => [a.address],
      timingAt: () => ({
        blockPeriodSeconds: 1,
        blockPeriodMilliseconds: undefined,
        emptyBlockPeriodSeconds: undefined,
      }),
      requestTimeoutSeconds: 2,
      limits: defaultMessageLimits,
      restored: undefined,
    })
    const now = network.now()
    let timers = machine.handle({ type: 'head', head: network.headOf(0) }, now).filter(isTimer)
    for (let i = 0; i < 5; i++) {
      const effects = machine.handle({ type: 'timer', timer: timers.at(-1)!.timer }, now + 1000)
      expect(effects).toContainEqual({ type: 'failure', error: failure })
      timers =
        effects.filter(isTimer).length > 0
          ? effects.filter(isTimer)
          : timers.filter(({ timer }) => timer.kind === 'round')
      expect(timers.at(-1)!.timer.kind).toBe('round')
    }
  })

  test('a validator that is alone signs again from where its head was set back to, also after a restart', () => {
    const network = createBftNetwork({ protocol, validators: 1, crypto: cheapCryptoOf, isSetBack: true })
    network.start(0)
    network.runUntil(() => network.headOf(0).header.number === 5n)
    const validator = network.validators[0]!
    validator.chain.splice(3)
    network.handle(0, { type: 'head', head: network.headOf(0) })
    network.runUntil(() => network.headOf(0).header.number === 4n)
    validator.chain.splice(2)
    network.handle(0, { type: 'head', head: network.headOf(0) })
    network.kill(0)
    network.start(0)
    network.runUntil(() => network.headOf(0).header.number === 7n)
  })

  test('one of several does not, and says so', () => {
    const network = createBftNetwork({ protocol, crypto: cheapCryptoOf })
    network.startAll()
    network.runUntil(() => network.headOf(0).header.number >= 5n)
    const validator = network.validators[0]!
    validator.chain.splice(3)
    const effects = validator.machine!.handle({ type: 'head', head: network.headOf(0) }, network.now())
    expect(effects).toContainEqual(expect.objectContaining({ type: 'closed', height: 3n }))
    // Others may reach each other only through it.
    const data = prepare(b, 3n)
    const event = { type: 'message', code: codes.prepare, data, from: b.address } as const
    expect(validator.machine!.handle(event, network.now())).toEqual([
      { type: 'gossip', code: codes.prepare, data, author: b.address, mayWait: false, except: [b.address] },
    ])
  })
})

const isTimer = (effect: BftEffect): effect is Extract<BftEffect, { type: 'timer' }> => effect.type === 'timer'
