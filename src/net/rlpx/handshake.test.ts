import { randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import {
  acks,
  agreed,
  auths,
  ephemeralA,
  ephemeralB,
  keyA,
  keyB,
  nonceA,
  nonceB,
} from '../../../test/support/eip8Vectors.ts'
import { initiate, respond } from '../../../test/support/localKeys.ts'
import { concatBytes } from '../../primitives/bytes.ts'
import { toHex } from '../../primitives/hex.ts'
import { curve } from '../../primitives/secp256k1.ts'
import { NetError } from '../fault.ts'
import type { Random } from './handshake.ts'

/** Random bytes of which the first are known. */
function scripted(...first: Uint8Array[]): Random {
  return (length) => first.shift() ?? new Uint8Array(randomBytes(length))
}

describe('the published vectors', () => {
  test.each(Object.entries(auths))('auth: %s', (_, auth) => {
    const answer = respond(keyB, concatBytes(auth, Uint8Array.of(1, 2, 3)), scripted(ephemeralB, nonceB))!
    expect(answer.used).toBe(auth.length)
    expect(toHex(answer.secrets.remoteId)).toBe(toHex(curve.publicKey(keyA)))
    expect(toHex(answer.secrets.aes)).toBe(toHex(agreed.aes))
    expect(toHex(answer.secrets.mac)).toBe(toHex(agreed.mac))
  })

  test('state of the authentication code', () => {
    const { secrets } = respond(keyB, auths.eip8, scripted(ephemeralB, nonceB))!
    secrets.ingress.update(new TextEncoder().encode('foo'))
    expect(toHex(secrets.ingress.digest())).toBe(toHex(agreed.ingressFoo))
  })

  test.each(Object.entries(acks))('ack: %s', (_, ack) => {
    const initiation = initiate(keyA, curve.publicKey(keyB), scripted(ephemeralA, nonceA))
    const { secrets, used } = initiation.finish(ack)!
    expect(used).toBe(ack.length)
    expect(toHex(secrets.aes)).toBe(toHex(agreed.aes))
    expect(toHex(secrets.mac)).toBe(toHex(agreed.mac))
  })
})

describe('two sides', () => {
  const remoteId = curve.publicKey(keyB)

  test('agree, and each reads what the other writes', () => {
    const initiation = initiate(keyA, remoteId, randomBytes)
    const b = respond(keyB, initiation.auth, randomBytes)!
    const a = initiation.finish(b.ack!)!
    expect(a.secrets.aes).toEqual(b.secrets.aes)
    expect(a.secrets.egress.digest()).toEqual(b.secrets.ingress.digest())
    expect(a.secrets.ingress.digest()).toEqual(b.secrets.egress.digest())
    expect(a.secrets.egress.digest()).not.toEqual(a.secrets.ingress.digest())
  })

  test('wait for the rest of a message', () => {
    const { auth } = initiate(keyA, remoteId, randomBytes)
    for (const length of [0, 1, 2, 100, auth.length - 1])
      expect(respond(keyB, auth.subarray(0, length), randomBytes)).toBe(undefined)
  })

  test('an old auth gets an old ack', () => {
    const { ack } = respond(keyB, auths.old, scripted(ephemeralB, nonceB))!
    expect(ack!.length).toBe(acks.old.length)
    const { secrets } = initiate(keyA, remoteId, scripted(ephemeralA, nonceA)).finish(ack!)!
    expect(toHex(secrets.mac)).toBe(toHex(agreed.mac))
  })

  test('what is meant for another key, changed or too long is a fault', () => {
    const { auth } = initiate(keyA, remoteId, randomBytes)
    expect(() => respond(keyA, auth, randomBytes)).toThrow(NetError)
    for (const at of [0, 2, 40, 90, auth.length - 1]) {
      const changed = auth.slice()
      changed[at]! ^= 0x10
      expect(() => respond(keyB, changed, randomBytes)).toThrow(NetError)
    }
    expect(() => respond(keyB, Uint8Array.of(0xff, 0xff, 4), randomBytes)).toThrow('length')
  })
})
