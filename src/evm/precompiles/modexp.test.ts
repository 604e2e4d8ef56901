import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { rulesOf } from '../../forks/rules.ts'
import type { ForkName } from '../../forks/table.ts'
import { concatBytes } from '../../primitives/bytes.ts'
import { bigIntToBytes, bigIntToFixed, bytesToBigInt, maxU64, maxU256, toWord } from '../../primitives/u256.ts'
import { fusedPower } from './fusedPower.ts'
import { modexp } from './modexp.ts'
import { modularPower } from './modularPower.ts'

function inputOf(base: Uint8Array, exponent: Uint8Array, modulus: Uint8Array): Uint8Array {
  const lengths = [base, exponent, modulus].map((part) => toWord(BigInt(part.length)))
  return concatBytes(...lengths, base, exponent, modulus)
}

function headerOf(base: bigint, exponent: bigint, modulus: bigint): Uint8Array {
  return concatBytes(toWord(base), toWord(exponent), toWord(modulus))
}

function power(base: bigint, exponent: bigint, modulus: bigint): bigint {
  let result = 1n % modulus
  for (const bit of exponent.toString(2)) {
    result = (result * result) % modulus
    if (bit === '1') result = (result * base) % modulus
  }
  return result
}

function gas(fork: ForkName, input: Uint8Array): bigint {
  return modexp.gas(input, rulesOf(fork))
}

const bytes = (maxLength: number) =>
  fc.oneof(
    fc.uint8Array({ maxLength }),
    fc.nat({ max: maxLength }).map((length) => new Uint8Array(length).fill(255)),
    // Multiples of high powers of two.
    fc.tuple(fc.uint8Array({ maxLength: maxLength / 2 }), fc.nat({ max: maxLength / 2 })).map(([head, zeros]) => {
      return concatBytes(head, new Uint8Array(zeros))
    }),
  )

test.each([
  ['limbs', 40, 24],
  ['whole words of V8', 300, 6],
])('is what square and multiply give (%s)', (_, size, exponentSize) => {
  fc.assert(
    fc.property(bytes(size), bytes(exponentSize), bytes(size), (base, exponent, modulus) => {
      const n = bytesToBigInt(modulus)
      const expected = n === 0n ? 0n : power(bytesToBigInt(base), bytesToBigInt(exponent), n)
      expect(modexp.run(inputOf(base, exponent, modulus))).toEqual(bigIntToFixed(expected, modulus.length))
    }),
    { numRuns: 300 },
  )
})

test.each([
  ['with', fusedPower(), 1024],
  ['without', undefined, 256],
] as const)('large odd moduli, %s fused multiply-adds', (_, fused, size) => {
  const odd = fc.uint8Array({ minLength: 60, maxLength: size }).map((modulus) => {
    const last = modulus.length - 1
    return modulus.map((byte, i) => (i === 0 || i === last ? byte | 1 : byte))
  })
  const exponents = fc.uint8Array({ minLength: 1, maxLength: 12 }).map((exponent) => exponent.with(0, 1))
  fc.assert(
    fc.property(bytes(size), exponents, odd, (base, exponent, modulus) => {
      const [b, n] = [bytesToBigInt(base), bytesToBigInt(modulus)]
      expect(bytesToBigInt(modularPower(b, exponent, modulus, fused))).toBe(power(b % n, bytesToBigInt(exponent), n))
    }),
    { numRuns: 60 },
  )
})

describe('moduli of up to 256 bits', () => {
  const exponent = new Uint8Array(33).fill(0xb5)

  test.each([17, 20, 21, 24, 25, 28, 29, 31, 32, 33])('the largest and the smallest of %i bytes', (length) => {
    const largest = (1n << BigInt(8 * length)) - 1n
    const smallest = (1n << BigInt(8 * length - 8)) + 1n
    for (const n of [largest, largest - 2n, smallest]) {
      for (const base of [2n, n >> 1n, n - 2n, n - 1n]) {
        const expected = power(base, bytesToBigInt(exponent), n)
        expect(modularPower(base, exponent, bigIntToFixed(n, length), undefined)).toEqual(
          bigIntToFixed(expected, length),
        )
      }
    }
  })

  test('a power that is a multiple of the modulus is 0', () => {
    const root = 2n ** 127n - 1n
    const modulus = toWord(root * root)
    for (const base of [root, 5n * root]) expect(modularPower(base, exponent, modulus, undefined)).toEqual(toWord(0n))
  })
})

test('bases 0 and 1, and multiples of the modulus, with large odd moduli', () => {
  const modulus = new Uint8Array(100).fill(0xab)
  const n = bytesToBigInt(modulus)
  const root = (1n << 300n) + 1n
  const square = bigIntToBytes(root * root)
  for (const fused of [fusedPower(), undefined]) {
    const result = (base: bigint, of: Uint8Array = modulus) =>
      bytesToBigInt(modularPower(base, new Uint8Array([9, 8, 7]), of, fused))
    expect([0n, 1n, n, n + 1n, 5n * n].map((base) => result(base))).toEqual([0n, 1n, 0n, 1n, 0n])
    expect(result(n - 1n)).toBe(n - 1n)
    expect(result(root, square)).toBe(0n)
  }
})

test('Fermat, as EIP-198 shows it', () => {
  const prime = 2n ** 256n - 2n ** 32n - 977n
  const input = inputOf(new Uint8Array([3]), toWord(prime - 1n), toWord(prime))
  expect(modexp.run(input)).toEqual(toWord(1n))
  expect(gas('byzantium', input)).toBe(13_056n)
  expect(gas('berlin', input)).toBe(1360n)
  expect(gas('osaka', input)).toBe(4080n)
})

test('missing bytes are zeros', () => {
  const input = inputOf(new Uint8Array([3]), new Uint8Array([2]), new Uint8Array([0x80, 0]))
  expect(modexp.run(input.subarray(0, input.length - 1))).toEqual(new Uint8Array([0, 9]))
})

test('an exponent of any declared length is free and unread where base and modulus are empty', () => {
  const input = headerOf(0n, maxU256, 0n)
  expect(modexp.run(input)).toEqual(new Uint8Array(0))
  expect(gas('byzantium', input)).toBe(0n)
  expect(gas('berlin', input)).toBe(200n)
})

test('fails for lengths that no memory holds', () => {
  for (const length of [1n << 27n, 1n << 33n, 1n << 250n]) {
    expect(modexp.run(headerOf(length, 1n, 1n))).toBeUndefined()
    expect(modexp.run(headerOf(1n, 1n, length))).toBeUndefined()
    expect(modexp.run(headerOf(1n, length << 5n, 1n))).toBeUndefined()
  }
})

describe('price', () => {
  test('by the longer of base and modulus', () => {
    const input = inputOf(new Uint8Array(100), new Uint8Array([2]), new Uint8Array(2000).fill(1))
    expect(gas('byzantium', input)).toBe(((2000n * 2000n) / 16n + 480n * 2000n - 199_680n) / 20n)
    expect(gas('berlin', input)).toBe(250n ** 2n / 3n)
  })

  test('a long exponent counts its bytes beyond 32', () => {
    const exponent = concatBytes(toWord(1n), new Uint8Array(10))
    const input = inputOf(bigIntToBytes(7n), exponent, new Uint8Array(40).fill(1))
    expect(gas('byzantium', input)).toBe((1600n * 80n) / 20n)
    expect(gas('berlin', input)).toBe(666n)
    expect(gas('osaka', input)).toBe(2n * 25n * 160n)
  })

  test('has a floor', () => {
    expect(gas('berlin', new Uint8Array(0))).toBe(200n)
    expect(gas('osaka', new Uint8Array(0))).toBe(500n)
  })

  test('never exceeds 64 bits', () => {
    expect(gas('byzantium', headerOf(maxU256, maxU256, maxU256))).toBe(maxU64)
    expect(gas('berlin', headerOf(maxU256, 1n, 1n))).toBe(maxU64)
  })

  test('from Osaka on no number may be longer than 1024 bytes', () => {
    expect(gas('osaka', headerOf(1024n, 1024n, 1024n))).toBe(2n * 128n ** 2n * 16n * 992n)
    const tooLong: [bigint, bigint, bigint][] = [
      [1025n, 0n, 0n],
      [0n, 1025n, 0n],
      [0n, 0n, 1025n],
    ]
    for (const lengths of tooLong) {
      expect(gas('osaka', headerOf(...lengths))).toBe(maxU64)
      expect(gas('prague', headerOf(...lengths))).toBeLessThan(10_000n)
    }
  })
})
