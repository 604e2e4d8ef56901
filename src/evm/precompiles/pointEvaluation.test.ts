import { createHash } from 'node:crypto'
import { bls12_381 } from '@noble/curves/bls12-381.js'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { rulesOf } from '../../forks/rules.ts'
import { concatBytes } from '../../primitives/bytes.ts'
import { toHex } from '../../primitives/hex.ts'
import { bigIntToFixed, toWord } from '../../primitives/u256.ts'
import { pointEvaluation } from './pointEvaluation.ts'

const G1 = bls12_381.G1.Point
const { Fr } = bls12_381.fields
type Point = InstanceType<typeof G1>

/** The generator times the ceremony's secret, as published. */
const secret = G1.fromHex(
  'ad3eb50121139aa34db1d545093ac9374ab7bca2c0f3bf28e27c8dcd8fc7cb42d25926fc0c97b336e9f0fb35e5a04c81',
)

function inputOf(commitment: Uint8Array, z: bigint, y: bigint, proof: Uint8Array): Uint8Array {
  const hash = createHash('sha256').update(commitment).digest()
  hash[0] = 1
  return concatBytes(hash, toWord(z), toWord(y), commitment, proof)
}

/** Commitment to a + b·x and the proof of its value anywhere: the quotient is b. */
function commit(a: bigint, b: bigint): { commitment: Point; proof: Point } {
  const proof = G1.BASE.multiplyUnsafe(b)
  return { commitment: G1.BASE.multiplyUnsafe(a).add(secret.multiplyUnsafe(b)), proof }
}

const scalar = fc.bigInt({ min: 0n, max: Fr.ORDER - 1n })

test('accepts the value of a line and of a constant, and no other value', () => {
  fc.assert(
    fc.property(scalar, fc.oneof(scalar, fc.constant(0n)), scalar, (a, b, z) => {
      const { commitment, proof } = commit(a, b)
      const y = Fr.add(a, Fr.mul(b, z))
      const run = (y: bigint) => pointEvaluation.run(inputOf(commitment.toBytes(), z, y, proof.toBytes()))
      expect(toHex(run(y)!)).toBe(
        '0x000000000000000000000000000000000000000000000000000000000000100073eda753299d7d483339d80809a1d80553bda402fffe5bfeffffffff00000001',
      )
      expect(run(Fr.add(y, 1n))).toBeUndefined()
    }),
    { numRuns: 5 },
  )
})

describe('fails for', () => {
  const { commitment, proof } = commit(2n, 3n)
  const [c, p] = [commitment.toBytes(), proof.toBytes()]
  const good = inputOf(c, 5n, 17n, p)
  const zero = concatBytes(new Uint8Array([0xc0]), new Uint8Array(47))
  const patched = (bytes: Uint8Array, at: number, bits: number) => {
    const out = bytes.slice()
    out[at]! ^= bits
    return out
  }

  test('nothing that is right', () => {
    expect(pointEvaluation.run(good)).toBeDefined()
    expect(pointEvaluation.run(inputOf(zero, 5n, 0n, zero))).toBeDefined()
  })

  test.each([
    ['another length', concatBytes(good, new Uint8Array(1))],
    ['another hash', patched(good, 31, 1)],
    ['another version', patched(good, 0, 2)],
    ['z beyond the order', inputOf(c, 5n + Fr.ORDER, 17n, p)],
    ['y beyond the order', inputOf(c, 5n, 17n + Fr.ORDER, p)],
    ['the other sign', inputOf(c, 5n, 17n, patched(p, 0, 0x20))],
    ['an uncompressed proof', inputOf(c, 5n, 17n, patched(p, 0, 0x80))],
    ['infinity with a coordinate', inputOf(c, 5n, 17n, patched(p, 0, 0x40))],
    ['infinity with a sign', inputOf(zero, 5n, 0n, patched(zero, 0, 0x20))],
    ['x beyond the field', inputOf(c, 5n, 17n, patched(new Uint8Array(48).fill(0xff), 0, 0x40))],
    ['a point outside the subgroup', inputOf(concatBytes(new Uint8Array([0x80]), new Uint8Array(47)), 5n, 17n, p)],
    ['x without a point', inputOf(c, 5n, 17n, patched(bigIntToFixed(1n, 48), 0, 0x80))],
  ])('%s', (_, input) => {
    expect(pointEvaluation.run(input)).toBeUndefined()
  })
})

test('price', () => {
  expect(pointEvaluation.gas(new Uint8Array(0), rulesOf('cancun'))).toBe(50_000n)
})
