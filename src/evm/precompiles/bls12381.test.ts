import { bls12_381 } from '@noble/curves/bls12-381.js'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { rulesOf } from '../../forks/rules.ts'
import { concatBytes } from '../../primitives/bytes.ts'
import { bigIntToFixed, toWord } from '../../primitives/u256.ts'
import {
  bls12381G1Add,
  bls12381G1Sum,
  bls12381G2Add,
  bls12381G2Sum,
  bls12381MapG1,
  bls12381MapG2,
  bls12381Pairing,
} from './bls12381.ts'

const G1 = bls12_381.G1.Point
const G2 = bls12_381.G2.Point
const { Fp, Fp2, Fr } = bls12_381.fields
type PointG1 = InstanceType<typeof G1>
type PointG2 = InstanceType<typeof G2>

function encode(...elements: bigint[]): Uint8Array {
  return concatBytes(...elements.map((element) => bigIntToFixed(element, 64)))
}

function encodeG1(point: PointG1): Uint8Array {
  if (point.is0()) return new Uint8Array(128)
  const { x, y } = point.toAffine()
  return encode(x, y)
}

function encodeG2(point: PointG2): Uint8Array {
  if (point.is0()) return new Uint8Array(256)
  const { x, y } = point.toAffine()
  return encode(x.c0, x.c1, y.c0, y.c1)
}

/** A point of the curve that is not in the subgroup: (0, 2). */
const outsideG1 = encode(0n, 2n)
/** The same on the twist, found by trying x = n + i. */
const outsideG2 = (() => {
  for (let n = 1n; ; n++) {
    const x = Fp2.fromBigTuple([n, 1n])
    const square = Fp2.add(Fp2.mul(Fp2.sqr(x), x), Fp2.fromBigTuple([4n, 4n]))
    if (!Fp2.eql(Fp2.pow(square, (Fp.ORDER ** 2n - 1n) / 2n), Fp2.ONE)) continue
    const y = Fp2.sqrt(square)
    return encode(x.c0, x.c1, y.c0, y.c1)
  }
})()

const scalar = fc.bigInt({ min: 1n, max: Fr.ORDER - 1n })
const anyScalar = fc.oneof(fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }), fc.constantFrom(0n, 1n, Fr.ORDER))
const pointG1 = fc.oneof({ arbitrary: scalar.map((k) => G1.BASE.multiply(k)), weight: 5 }, fc.constant(G1.ZERO))
const pointG2 = fc.oneof({ arbitrary: scalar.map((k) => G2.BASE.multiply(k)), weight: 5 }, fc.constant(G2.ZERO))

test('addition', () => {
  fc.assert(
    fc.property(pointG1, pointG1, pointG2, pointG2, (p, q, u, v) => {
      expect(bls12381G1Add.run(concatBytes(encodeG1(p), encodeG1(q)))).toEqual(encodeG1(p.add(q)))
      expect(bls12381G1Add.run(concatBytes(encodeG1(p), encodeG1(p)))).toEqual(encodeG1(p.double()))
      expect(bls12381G2Add.run(concatBytes(encodeG2(u), encodeG2(v)))).toEqual(encodeG2(u.add(v)))
      expect(bls12381G2Add.run(concatBytes(encodeG2(u), encodeG2(u.negate())))).toEqual(new Uint8Array(256))
    }),
    { numRuns: 10 },
  )
})

test('sums of multiples', () => {
  const pairs1 = fc.array(fc.tuple(pointG1, anyScalar), { minLength: 1, maxLength: 6 })
  const pairs2 = fc.array(fc.tuple(pointG2, anyScalar), { minLength: 1, maxLength: 4 })
  fc.assert(
    fc.property(pairs1, pairs2, (pairs1, pairs2) => {
      const sum1 = pairs1.reduce((sum, [p, k]) => sum.add(p.multiplyUnsafe(k % Fr.ORDER)), G1.ZERO)
      const sum2 = pairs2.reduce((sum, [p, k]) => sum.add(p.multiplyUnsafe(k % Fr.ORDER)), G2.ZERO)
      const input1 = concatBytes(...pairs1.flatMap(([p, k]) => [encodeG1(p), toWord(k)]))
      const input2 = concatBytes(...pairs2.flatMap(([p, k]) => [encodeG2(p), toWord(k)]))
      expect(bls12381G1Sum.run(input1)).toEqual(encodeG1(sum1))
      expect(bls12381G2Sum.run(input2)).toEqual(encodeG2(sum2))
    }),
    { numRuns: 8 },
  )
})

test('a sum of hundreds of points', () => {
  const count = 300n
  const parts = []
  for (let i = 1n; i <= count; i++) parts.push(encodeG1(G1.BASE.multiplyUnsafe(i)), toWord(i))
  const squares = (count * (count + 1n) * (2n * count + 1n)) / 6n
  expect(bls12381G1Sum.run(concatBytes(...parts))).toEqual(encodeG1(G1.BASE.multiply(squares)))
})

test('pairing is bilinear', () => {
  fc.assert(
    fc.property(scalar, scalar, (a, b) => {
      const right = concatBytes(encodeG1(G1.BASE.multiply(a)), encodeG2(G2.BASE.multiply(b)))
      const left = concatBytes(encodeG1(G1.BASE.multiply(Fr.mul(a, b)).negate()), encodeG2(G2.BASE))
      expect(bls12381Pairing.run(concatBytes(right, left))).toEqual(toWord(1n))
      expect(bls12381Pairing.run(right)).toEqual(toWord(0n))
    }),
    { numRuns: 5 },
  )
  expect(bls12381Pairing.run(new Uint8Array(384))).toEqual(toWord(1n))
})

test('mapping to the curve', () => {
  // Declared for tuples, but on a prime field it takes the one number.
  const mapToG1 = bls12_381.G1.mapToCurve as unknown as (element: bigint) => { x: bigint; y: bigint }
  const element = fc.oneof(fc.bigInt({ min: 0n, max: Fp.ORDER - 1n }), fc.constant(0n))
  fc.assert(
    fc.property(element, element, (a, b) => {
      const p = mapToG1(a)
      const q = bls12_381.G2.mapToCurve([a, b])
      expect(bls12381MapG1.run(encode(a))).toEqual(encode(p.x, p.y))
      expect(bls12381MapG2.run(encode(a, b))).toEqual(encode(q.x.c0, q.x.c1, q.y.c0, q.y.c1))
    }),
    { numRuns: 10 },
  )
})

describe('points outside the subgroup', () => {
  test('can be added', () => {
    expect(bls12381G1Add.run(concatBytes(outsideG1, new Uint8Array(128)))).toEqual(outsideG1)
    expect(bls12381G2Add.run(concatBytes(outsideG2, new Uint8Array(256)))).toEqual(outsideG2)
  })

  test('cannot be multiplied or paired', () => {
    expect(bls12381G1Sum.run(concatBytes(outsideG1, toWord(1n)))).toBeUndefined()
    expect(bls12381G2Sum.run(concatBytes(outsideG2, toWord(1n)))).toBeUndefined()
    expect(bls12381Pairing.run(concatBytes(outsideG1, encodeG2(G2.ZERO)))).toBeUndefined()
    expect(bls12381Pairing.run(concatBytes(encodeG1(G1.ZERO), outsideG2))).toBeUndefined()
  })
})

test('padding, range and curve are checked', () => {
  const { x, y } = G1.BASE.toAffine()
  const rest = new Uint8Array(128)
  expect(bls12381G1Add.run(concatBytes(encode(x + 2n ** 400n, y), rest))).toBeUndefined()
  expect(bls12381G1Add.run(concatBytes(encode(x + Fp.ORDER, y), rest))).toBeUndefined()
  expect(bls12381G1Add.run(concatBytes(encode(x, y + 1n), rest))).toBeUndefined()
  expect(bls12381MapG1.run(encode(Fp.ORDER))).toBeUndefined()
  expect(bls12381MapG2.run(encode(0n, Fp.ORDER))).toBeUndefined()
})

test.each([bls12381G1Add, bls12381G1Sum, bls12381G2Add, bls12381G2Sum, bls12381Pairing, bls12381MapG1, bls12381MapG2])(
  '$name fails for a wrong length',
  ({ run }) => {
    expect(run(new Uint8Array(0))).toBeUndefined()
    expect(run(new Uint8Array(127))).toBeUndefined()
  },
)

test('prices', () => {
  const rules = rulesOf('prague')
  const g1 = (pairs: number) => bls12381G1Sum.gas(new Uint8Array(160 * pairs), rules)
  const g2 = (pairs: number) => bls12381G2Sum.gas(new Uint8Array(288 * pairs), rules)
  expect([0, 1, 2, 128, 200].map(g1)).toEqual([0n, 12_000n, 22_776n, 797_184n, 1_245_600n])
  expect([0, 1, 2, 128, 200].map(g2)).toEqual([0n, 22_500n, 45_000n, 1_509_120n, 2_358_000n])
  expect(bls12381Pairing.gas(new Uint8Array(768), rules)).toBe(102_900n)
})
