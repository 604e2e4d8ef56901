import { p256 } from '@noble/curves/nist.js'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { rulesOf } from '../../forks/rules.ts'
import { concatBytes } from '../../primitives/bytes.ts'
import { bytesToBigInt, toWord } from '../../primitives/u256.ts'
import { p256verify } from './p256verify.ts'

const order = p256.Point.Fn.ORDER
const field = p256.Point.Fp.ORDER
const accepted = toWord(1n)
const refused = new Uint8Array(0)

function signed(digest: Uint8Array, secret: bigint) {
  const key = toWord(secret)
  const signature = p256.sign(digest, key, { prehash: false, lowS: false })
  return {
    r: bytesToBigInt(signature.subarray(0, 32)),
    s: bytesToBigInt(signature.subarray(32)),
    key: p256.getPublicKey(key, false).slice(1),
  }
}

test('takes what the key signed and nothing else', () => {
  const secret = fc.bigInt({ min: 1n, max: order - 1n })
  const digests = fc.uint8Array({ minLength: 32, maxLength: 32 })
  fc.assert(
    fc.property(digests, secret, (digest, secret) => {
      const { r, s, key } = signed(digest, secret)
      const verify = (r: bigint, s: bigint, d = digest) => p256verify.run(concatBytes(d, toWord(r), toWord(s), key))
      expect(verify(r, s)).toEqual(accepted)
      expect(verify(r, order - s)).toEqual(accepted)
      expect(verify(s, r)).toEqual(refused)
      const other = digest.slice()
      other[5]! ^= 1
      expect(verify(r, s, other)).toEqual(refused)
    }),
    { numRuns: 20 },
  )
})

test('a digest of zero leaves only the key in the sum', () => {
  const digest = new Uint8Array(32)
  const { r, s, key } = signed(digest, 5n)
  expect(p256verify.run(concatBytes(digest, toWord(r), toWord(s), key))).toEqual(accepted)
})

describe('refuses without failing', () => {
  const digest = new Uint8Array(32).fill(3)
  const { r, s, key } = signed(digest, 77n)
  const generator = p256.Point.BASE.toBytes(false).slice(1)
  test.each([
    ['a short input', concatBytes(digest, toWord(r), toWord(s), key).subarray(1)],
    ['a long input', concatBytes(digest, toWord(r), toWord(s), key, new Uint8Array(1))],
    ['r of zero', concatBytes(digest, toWord(0n), toWord(s), key)],
    ['s of zero', concatBytes(digest, toWord(r), toWord(0n), key)],
    ['s beyond the order', concatBytes(digest, toWord(r), toWord(order + 1n), key)],
    ['the key at infinity', concatBytes(digest, toWord(r), toWord(s), new Uint8Array(64))],
    ['a key off the curve', concatBytes(digest, toWord(r), toWord(s), toWord(1n), toWord(1n))],
    ['a coordinate beyond the field', concatBytes(digest, toWord(r), toWord(s), toWord(field), key.subarray(32))],
    ['a sum at infinity', concatBytes(toWord(order - 9n), toWord(9n), toWord(s), generator)],
  ])('%s', (_, input) => {
    expect(p256verify.run(input)).toEqual(refused)
  })
})

test('price', () => {
  expect(p256verify.gas(new Uint8Array(0), rulesOf('osaka'))).toBe(6900n)
})
