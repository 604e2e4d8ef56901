import { bn254 } from '@noble/curves/bn254.js'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { rulesOf } from '../../forks/rules.ts'
import { concatBytes } from '../../primitives/bytes.ts'
import { bytesToBigInt, toWord } from '../../primitives/u256.ts'
import { bn254Add, bn254Mul, bn254Pairing } from './bn254.ts'
import { createFusedBn254 } from './fusedBn254.ts'
import { createMclBn254 } from './mclBn254.ts'

const G1 = bn254.G1.Point
const G2 = bn254.G2.Point
const { Fp, Fp2, Fr } = bn254.fields
type PointG1 = InstanceType<typeof G1>
type PointG2 = InstanceType<typeof G2>
type Element = ReturnType<typeof Fp2.create>

function encodeG1(point: PointG1): Uint8Array {
  if (point.is0()) return new Uint8Array(64)
  const { x, y } = point.toAffine()
  return concatBytes(toWord(x), toWord(y))
}

function encodeTwist(x: Element, y: Element): Uint8Array {
  return concatBytes(...[x.c1, x.c0, y.c1, y.c0].map(toWord))
}

function encodeG2(point: PointG2): Uint8Array {
  const { x, y } = point.toAffine()
  return encodeTwist(x, y)
}

const scalar = fc.bigInt({ min: 1n, max: Fr.ORDER - 1n })
const pointG1 = fc.oneof(
  scalar.map((k) => G1.BASE.multiply(k)),
  fc.constant(G1.ZERO),
)

test('addition', () => {
  fc.assert(
    fc.property(pointG1, pointG1, (p, q) => {
      expect(bn254Add.run(concatBytes(encodeG1(p), encodeG1(q)))).toEqual(encodeG1(p.add(q)))
      expect(bn254Add.run(concatBytes(encodeG1(p), encodeG1(p)))).toEqual(encodeG1(p.double()))
      expect(bn254Add.run(concatBytes(encodeG1(p), encodeG1(p.negate())))).toEqual(new Uint8Array(64))
    }),
    { numRuns: 20 },
  )
  // Few digits, digits that carry to the highest bit, and halves that are zero or negative.
  const edges = [0n, 1n, 15n, 16n, 17n, 31n, 32n, 2n ** 126n, 2n ** 127n - 1n, 2n ** 128n - 1n, Fr.ORDER - 1n, Fr.ORDER]
  for (const k of edges)
    expect(bn254Mul.run(concatBytes(encodeG1(G1.BASE), toWord(k)))).toEqual(
      encodeG1(G1.BASE.multiplyUnsafe(k % Fr.ORDER)),
    )
})

test('points next to each other, the same and opposite ones', () => {
  const points = [G1.ZERO, ...Array.from({ length: 6 }, (_, i) => G1.BASE.multiply(BigInt(i + 1)))]
  const all = [...points, ...points.map((point) => point.negate())]
  for (const p of all) {
    for (const q of all) expect(bn254Add.run(concatBytes(encodeG1(p), encodeG1(q)))).toEqual(encodeG1(p.add(q)))
  }
})

test('fails to add what is not on the curve or not below the field', () => {
  const good = encodeG1(G1.BASE)
  const wrong = [
    [1n, 3n],
    [0n, 1n],
    [Fp.ORDER + 1n, 2n],
    [1n, Fp.ORDER + 2n],
    [Fp.ORDER, 0n],
    [0n, Fp.ORDER],
    [2n ** 256n - 1n, 2n ** 256n - 1n],
  ].map(([x, y]) => concatBytes(toWord(x!), toWord(y!)))
  for (const bad of wrong) {
    for (const other of [good, new Uint8Array(64)]) {
      expect(bn254Add.run(concatBytes(bad, other))).toBeUndefined()
      expect(bn254Add.run(concatBytes(other, bad))).toBeUndefined()
    }
  }
})

test('multiplication, by scalars beyond the order too', () => {
  fc.assert(
    fc.property(pointG1, fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }), (p, k) => {
      const expected = p.multiplyUnsafe(k % Fr.ORDER)
      expect(bn254Mul.run(concatBytes(encodeG1(p), toWord(k)))).toEqual(encodeG1(expected))
    }),
    { numRuns: 20 },
  )
})

test('missing input is zeros, further input is ignored', () => {
  expect(bn254Add.run(new Uint8Array(0))).toEqual(new Uint8Array(64))
  expect(bn254Add.run(encodeG1(G1.BASE))).toEqual(encodeG1(G1.BASE))
  expect(bn254Mul.run(concatBytes(encodeG1(G1.BASE), toWord(1n), toWord(5n)))).toEqual(encodeG1(G1.BASE))
})

describe('pairing', () => {
  test('e(aP, bQ) · e(−abP, Q) is one', () => {
    fc.assert(
      fc.property(scalar, scalar, (a, b) => {
        const right = concatBytes(encodeG1(G1.BASE.multiply(a)), encodeG2(G2.BASE.multiply(b)))
        const left = concatBytes(encodeG1(G1.BASE.multiply(Fr.mul(a, b)).negate()), encodeG2(G2.BASE))
        expect(bn254Pairing.run(concatBytes(right, left))).toEqual(toWord(1n))
        expect(bn254Pairing.run(right)).toEqual(toWord(0n))
      }),
      { numRuns: 5 },
    )
  })

  test('pairs with infinity count as one', () => {
    expect(bn254Pairing.run(new Uint8Array(0))).toEqual(toWord(1n))
    expect(bn254Pairing.run(new Uint8Array(192))).toEqual(toWord(1n))
    expect(bn254Pairing.run(concatBytes(encodeG1(G1.BASE), new Uint8Array(128)))).toEqual(toWord(1n))
    expect(bn254Pairing.run(concatBytes(new Uint8Array(64), encodeG2(G2.BASE)))).toEqual(toWord(1n))
  })

  test('fails for points of the twist outside the subgroup, even beside infinity', () => {
    const b = Fp2.div(Fp2.fromBigTuple([3n, 0n]), Fp2.fromBigTuple([9n, 1n]))
    let outside = 0
    for (let real = 1n; outside < 5; real++) {
      const x = Fp2.fromBigTuple([real, 7n])
      const square = Fp2.add(Fp2.mul(Fp2.sqr(x), x), b)
      if (!Fp2.eql(Fp2.pow(square, (Fp.ORDER ** 2n - 1n) / 2n), Fp2.ONE)) continue
      outside++
      const point = encodeTwist(x, Fp2.sqrt(square))
      expect(bn254Pairing.run(concatBytes(encodeG1(G1.BASE), point))).toBeUndefined()
      expect(bn254Pairing.run(concatBytes(new Uint8Array(64), point))).toBeUndefined()
    }
  })

  test('fails for a length that is no number of pairs', () => {
    expect(bn254Pairing.run(new Uint8Array(191))).toBeUndefined()
  })
})

test('coordinates must be field elements of a point', () => {
  for (const bad of [concatBytes(toWord(1n), toWord(3n)), concatBytes(toWord(Fp.ORDER + 1n), toWord(2n))]) {
    expect(bn254Add.run(bad)).toBeUndefined()
    expect(bn254Mul.run(bad)).toBeUndefined()
    expect(bn254Pairing.run(concatBytes(bad, encodeG2(G2.BASE)))).toBeUndefined()
  }
  expect(bn254Add.run(concatBytes(toWord(Fp.ORDER), toWord(0n)))).toBeUndefined()
})

test('the library and our own arithmetic agree', () => {
  const mcl = createMclBn254()
  const fused = createFusedBn254()
  const word = fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }).map(toWord)
  const pair = fc.tuple(
    pointG1,
    fc.oneof(
      scalar.map((k) => encodeG2(G2.BASE.multiply(k))),
      word.map(() => new Uint8Array(128)),
    ),
  )
  fc.assert(
    fc.property(pointG1, word, fc.array(pair, { maxLength: 3 }), fc.nat({ max: 191 }), (p, k, pairs, at) => {
      expect(mcl.multiply(concatBytes(encodeG1(p), k))).toEqual(encodeG1(p.multiplyUnsafe(bytesToBigInt(k) % Fr.ORDER)))
      const input = concatBytes(...pairs.flatMap(([p, q]) => [encodeG1(p), q]))
      if (fused) expect(fused.isPairingOne(input)).toBe(mcl.isPairingOne(input))
      if (!fused || input.length === 0) return
      input[at]! ^= 1
      expect(fused.isPairingOne(input)).toBe(mcl.isPairingOne(input))
    }),
    { numRuns: 20 },
  )
})

test('prices fell in Istanbul', () => {
  const prices = (fork: 'byzantium' | 'istanbul') =>
    [bn254Add, bn254Mul, bn254Pairing].map((p) => p.gas(new Uint8Array(384), rulesOf(fork)))
  expect(prices('byzantium')).toEqual([500n, 40_000n, 260_000n])
  expect(prices('istanbul')).toEqual([150n, 6000n, 113_000n])
})
