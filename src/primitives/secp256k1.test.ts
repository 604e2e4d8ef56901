import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Hash32 } from './bytes.ts'
import { toHex } from './hex.ts'
import { keccak256 } from './keccak.ts'
import {
  compressPublicKey,
  createJavaScriptCurve,
  createNativeCurve,
  curve,
  privateKeyToAddress,
  recoverAddress,
} from './secp256k1.ts'

const javaScript = createJavaScriptCurve()
const native = createNativeCurve()
const key = fc.uint8Array({ minLength: 32, maxLength: 32 }).filter((bytes) => javaScript.isPrivateKey(bytes))
const digest = fc.uint8Array().map((bytes) => keccak256(bytes) as Hash32)

describe('secp256k1', () => {
  test('a signer is recovered from its signature', () => {
    fc.assert(
      fc.property(key, digest, (privateKey, hash) => {
        const { rs, parity } = curve.sign(hash, privateKey)
        const signer = recoverAddress(hash, rs.subarray(0, 32), rs.subarray(32), parity)
        expect(signer).toEqual(privateKeyToAddress(privateKey))
      }),
      { numRuns: 50 },
    )
  })

  test('address of private key 1', () => {
    const one = new Uint8Array(32)
    one[31] = 1
    expect(toHex(privateKeyToAddress(one))).toBe('0x7e5f4552091a69125d5dfcb7b8c2659029395bdf')
  })

  test.runIf(native)('both implementations agree', () => {
    fc.assert(
      fc.property(key, key, digest, (a, b, hash) => {
        const both = [native!, javaScript]
        const [n, j] = both.map((c) => ({
          publicKey: c.publicKey(a),
          signature: c.sign(hash, a),
          shared: c.sharedPoint(a, c.publicKey(b)),
        }))
        expect(n).toEqual(j)
        const { rs, parity } = n!.signature
        for (const c of both) {
          expect(c.recover(hash, rs, parity)).toEqual(n!.publicKey)
          expect(c.expand(compressPublicKey(n!.publicKey))).toEqual(n!.publicKey)
        }
      }),
      { numRuns: 20 },
    )
  })

  test.each([javaScript, ...(native ? [native] : [])])('$name refuses what is no key or signature', (c) => {
    expect(c.isPrivateKey(new Uint8Array(32))).toBe(false)
    expect(c.isPrivateKey(new Uint8Array(32).fill(255))).toBe(false)
    expect(c.isPrivateKey(new Uint8Array(31).fill(1))).toBe(false)
    expect(c.isPublicKey(new Uint8Array(64).fill(1))).toBe(false)
    expect(c.isPublicKey(new Uint8Array(63))).toBe(false)
    expect(c.expand(new Uint8Array(33).fill(2).fill(0xff, 1))).toBeUndefined()
    expect(c.expand(new Uint8Array(32).fill(2))).toBeUndefined()
    expect(c.expand(new Uint8Array(65).fill(4))).toBeUndefined()
    expect(c.recover(keccak256(new Uint8Array(0)), new Uint8Array(64), 0)).toBeUndefined()
    expect(c.recover(keccak256(new Uint8Array(0)), new Uint8Array(64).fill(255), 1)).toBeUndefined()
  })
})
