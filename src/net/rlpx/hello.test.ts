import { expect, test } from 'vitest'
import { hello as published } from '../../../test/support/eip8Vectors.ts'
import { fromHex, toHex } from '../../primitives/hex.ts'
import type { DisconnectReason, SubProtocol } from '../protocol.ts'
import { decodeDisconnect, encodeDisconnect } from './disconnect.ts'
import { decodeHello, encodeHello } from './hello.ts'
import { shareProtocols } from './shareProtocols.ts'

test('Hello of a later version is read', () => {
  const { id, ...rest } = decodeHello(published)
  expect(rest).toEqual({
    version: 55,
    clientId: 'kneth/v0.91/plan9',
    capabilities: [
      { name: 'eth', version: 61 },
      { name: 'mork', version: 22 },
    ],
    listenPort: 9999,
  })
  expect(toHex(id)).toMatch(/^0xfda1cff674.{118}$/)
})

test('decoding Hello undoes encoding', () => {
  const hello = {
    version: 5,
    clientId: 'quoin/v1/ünder',
    capabilities: [{ name: 'istanbul', version: 100 }],
    listenPort: 30303,
    id: new Uint8Array(64).fill(7),
  }
  expect(decodeHello(encodeHello(hello))).toEqual(hello)
})

test.each<[DisconnectReason, string]>([
  ['requested', '0xc100'],
  ['uselessPeer', '0xc103'],
  ['subprotocol', '0xc110'],
  ['unknown', '0xc180'],
])('the reason %s', (reason, encoded) => {
  expect(toHex(encodeDisconnect(reason))).toBe(encoded)
  expect(decodeDisconnect(fromHex(encoded))).toBe(reason)
})

test('reasons that others write in their own way', () => {
  expect(decodeDisconnect(Uint8Array.of(4))).toBe('tooManyPeers')
  expect(decodeDisconnect(Uint8Array.of(0xc0))).toBe('unknown')
  expect(decodeDisconnect(Uint8Array.of(0xc1, 0x55))).toBe('unknown')
  expect(decodeDisconnect(new Uint8Array(0))).toBe('unknown')
})

test('codes are given in the order of names, upper case first, and to the highest shared version', () => {
  const protocol = (name: string, version: number, length: number) => ({ name, version, length }) as SubProtocol
  const own = [protocol('eth', 66, 17), protocol('eth', 68, 17), protocol('istanbul', 100, 22), protocol('IBF', 1, 4)]
  const offsets = (theirs: string[]) =>
    shareProtocols(
      own,
      theirs.map((text) => ({ name: text.split('/')[0]!, version: Number(text.split('/')[1]) })),
    ).map(({ protocol: { name, version }, offset }) => `${name}/${version} at ${offset}`)
  expect(offsets(['snap/1', 'istanbul/100', 'eth/67', 'eth/68', 'eth/66'])).toEqual([
    'eth/68 at 16',
    'istanbul/100 at 33',
  ])
  expect(offsets(['eth/66', 'IBF/1'])).toEqual(['IBF/1 at 16', 'eth/66 at 20'])
  expect(offsets(['eth/63', 'les/2'])).toEqual([])
})
