import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { keyB, packets } from '../../../test/support/eip8Vectors.ts'
import { encodePacket, encodeRecord } from '../../../test/support/localKeys.ts'
import { keyNumber } from '../../../test/support/netHarness.ts'
import { Fault } from '../../primitives/fault.ts'
import { toHex } from '../../primitives/hex.ts'
import { keccak256 } from '../../primitives/keccak.ts'
import { encodeRlp, scalar } from '../../primitives/rlp.ts'
import { curve } from '../../primitives/secp256k1.ts'
import { type DiscoveryMessage, decodePacket, neighborsPerPacket } from './packet.ts'

const expires = 1136239445
const id = curve.publicKey(keyNumber(1))
const place = { ip: '10.1.2.3', udpPort: 30303, tcpPort: 30304 }

describe('the published packets', () => {
  test('ping', () => {
    const packet = decodePacket(packets.ping)
    expect(toHex(packet.id)).toBe(toHex(curve.publicKey(keyB)))
    expect(packet.message).toEqual({
      type: 'ping',
      from: { ip: '2001:db8:3c4d:15::abcd:ef12', udpPort: 3322, tcpPort: 5544 },
      to: { ip: '2001:db8:85a3:8d3:1319:8a2e:370:7348', udpPort: 2222, tcpPort: 33338 },
      expires,
      seq: 0n,
    })
  })
  test('pong', () => expect(decodePacket(packets.pong).message).toMatchObject({ type: 'pong', expires }))
  test('findNode', () => expect(decodePacket(packets.findNode).message).toMatchObject({ type: 'findNode', expires }))
  test('neighbors', () => {
    const { message } = decodePacket(packets.neighbors)
    expect(message).toMatchObject({ type: 'neighbors', expires })
    expect(
      message.type === 'neighbors' && message.nodes.map(({ ip, udpPort, tcpPort }) => [ip, udpPort, tcpPort]),
    ).toEqual([
      ['99.33.22.55', 4444, 4445],
      ['1.2.3.4', 1, 1],
      ['2001:db8:3c4d:15::abcd:ef12', 3333, 3333],
      ['2001:db8:85a3:8d3:1319:8a2e:370:7348', 999, 1000],
    ])
  })
})

describe('packets', () => {
  const messages: DiscoveryMessage[] = [
    { type: 'ping', from: place, to: { ...place, ip: '::1' }, expires, seq: 9n },
    { type: 'pong', to: place, ping: new Uint8Array(32).fill(3), expires, seq: 0n },
    { type: 'findNode', target: id, expires },
    { type: 'neighbors', nodes: [], expires },
    { type: 'neighbors', nodes: [{ ...place, id }], expires },
    { type: 'recordRequest', expires },
    { type: 'recordResponse', request: new Uint8Array(32).fill(4), record: encodeRecord(1n, new Map(), keyB) },
  ]
  test.each(messages.map((message) => [message.type, message] as const))(
    'decoding undoes encoding: %s',
    (_, message) => {
      const { bytes, hash } = encodePacket(message, keyB)
      const packet = decodePacket(bytes)
      expect(packet).toEqual({ message, id: curve.publicKey(keyB), hash })
    },
  )

  test('as many neighbors as are sent at once fit', () => {
    const nodes = Array.from({ length: neighborsPerPacket }, () => ({ ...place, ip: '2001:db8::1', id }))
    const { bytes } = encodePacket({ type: 'neighbors', nodes, expires }, keyB)
    expect(bytes.length).toBeLessThanOrEqual(1280)
  })

  test('a ping without its sender', () => {
    const list = encodeRlp([scalar(5), [Uint8Array.of(127, 0, 0, 1), scalar(1), scalar(2)], scalar(expires)])
    const content = Buffer.concat([Uint8Array.of(1), list])
    const { rs, parity } = curve.sign(keccak256(content), keyB)
    const signed = Buffer.concat([rs, Uint8Array.of(parity), content])
    expect(decodePacket(Buffer.concat([keccak256(signed), signed])).message).toMatchObject({
      from: { ip: '', tcpPort: 0 },
      to: { ip: '127.0.0.1', udpPort: 1, tcpPort: 2 },
      expires,
    })
  })

  test('that were changed or are no packets are faults', () => {
    const { bytes } = encodePacket(messages[0]!, keyB)
    fc.assert(
      fc.property(fc.nat(bytes.length * 8 - 1), (bit) => {
        const changed = bytes.slice()
        changed[bit >> 3]! ^= 1 << (bit & 7)
        expect(() => decodePacket(changed)).toThrow(Fault)
      }),
    )
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 1400 }), (data) => {
        expect(() => decodePacket(data)).toThrow(Fault)
      }),
    )
  })
})
