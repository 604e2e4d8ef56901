import { describe, expect, test } from 'vitest'
import { type Authority, authorities } from '../../../test/support/authorityChain.ts'
import { cheapCryptoOf, createBftNetwork } from '../../../test/support/bftNetwork.ts'
import { equalBytes, toAddress, toHash32, zeroHash } from '../../primitives/bytes.ts'
import { encodeRlp } from '../../primitives/rlp.ts'
import { ibft2Protocol } from '../ibft2/ibft2Protocol.ts'
import { qbftProtocol } from '../qbft/qbftProtocol.ts'
import type { BftEffect } from './machine.ts'
import type { BftKind } from './messages.ts'
import { encodeDigestPayload, encodeSigned } from './payloads.ts'

const four = authorities(4)
const [a, b, c] = four as [Authority, Authority, Authority]
const outsider = authorities(5).find(({ key }) => four.every((one) => !equalBytes(one.key, key)))!
const peer = toAddress(new Uint8Array(20).fill(9))

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
      hear: (code: number, data: Uint8Array): readonly BftEffect[] =>
        machine.handle({ type: 'message', code, data, from: peer }, 0),
    }
  }

  const sign = (who: Authority, kind: BftKind, payload: Uint8Array) =>
    encodeSigned(payload, cheapCryptoOf(who).sign(protocol.signingDigest(codes[kind], payload)))
  const prepare = (who: Authority, height: bigint, round = 0) =>
    sign(who, 'prepare', encodeDigestPayload(protocol, { height, round, digest: zeroHash }))

  test('messages of validators are passed on once, whatever they say', () => {
    const { hear } = open()
    const data = prepare(b, 1n)
    expect(hear(codes.prepare, data)).toEqual([
      { type: 'gossip', code: codes.prepare, data, except: [peer, b.address] },
    ])
    expect(hear(codes.prepare, data)).toEqual([])
  })

  test('strangers and echoes are not', () => {
    const { hear } = open()
    expect(hear(codes.prepare, prepare(outsider, 1n))).toEqual([])
    expect(hear(codes.prepare, prepare(a, 1n))).toEqual([])
  })

  test('a message that was forgotten is read again but not passed on again', () => {
    const { hear } = open()
    const data = prepare(b, 1n)
    hear(codes.prepare, data)
    for (let round = 1; round <= 100; round++) hear(codes.prepare, prepare(c, 1n, round))
    expect(hear(codes.prepare, data)).toEqual([])
  })

  test('what is below the head is dropped', () => {
    expect(open().hear(codes.prepare, prepare(b, 0n))).toEqual([])
  })

  test('what is ahead waits, and tells how far the peer is', () => {
    const { machine, parent, hear } = open()
    const data = prepare(b, 3n)
    expect(hear(codes.prepare, data)).toEqual([{ type: 'peerHeight', address: peer, number: 2n }])
    const headAt = (number: bigint) => ({
      header: { ...parent.header, number, beneficiary: b.address },
      hash: toHash32(new Uint8Array(32).fill(Number(number))),
    })
    const gossips = (number: bigint) =>
      machine.handle({ type: 'head', head: headAt(number) }, 0).filter(({ type }) => type === 'gossip')
    expect(gossips(1n)).toEqual([])
    expect(gossips(2n)).toEqual([{ type: 'gossip', code: codes.prepare, data, except: [peer, b.address] }])
    expect(machine.status()).toMatchObject({ height: 3n, isValidator: true })
  })

  test('the head that it knows changes nothing', () => {
    const { machine, parent } = open()
    expect(machine.handle({ type: 'head', head: parent }, 0)).toEqual([])
  })

  test('bytes that are no message are as if they had not come', () => {
    const { hear } = open()
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
    for (const data of bad) for (const code of [...Object.values(codes), 99]) expect(hear(code, data)).toEqual([])
  })

  test('one who is no validator stands by until it is one', () => {
    const network = createBftNetwork({
      protocol,
      crypto: cheapCryptoOf,
      decide: (index, head) => index > 0 || head > 0n,
    })
    network.start(0)
    const machine = network.validators[0]!.machine!
    const hear = (data: Uint8Array) => machine.handle({ type: 'message', code: codes.prepare, data, from: peer }, 0)
    expect(machine.status()).toEqual({ height: 1n, round: -1, isValidator: false })
    expect(hear(prepare(b, 1n))).toEqual([])
    const head = { header: { ...network.headOf(0).header, number: 1n }, hash: toHash32(new Uint8Array(32).fill(1)) }
    expect(machine.handle({ type: 'head', head }, 0)).not.toEqual([])
    expect(hear(prepare(b, 2n))).toHaveLength(1)
  })
})
