import fc from 'fast-check'
import { Kind, type ValueNode } from 'graphql'
import { describe, expect, test } from 'vitest'
import { toHex } from '../primitives/hex.ts'
import { addressScalar, bigIntScalar, bytes32Scalar, bytesScalar, longScalar } from './scalars.ts'

const text = (value: string): ValueNode => ({ kind: Kind.STRING, value })
const int = (value: string): ValueNode => ({ kind: Kind.INT, value })
const bytes = (minLength: number, maxLength: number) => fc.uint8Array({ minLength, maxLength })

describe('what is written is read again', () => {
  test.each([
    ['Address', addressScalar, bytes(20, 20)],
    ['Bytes32', bytes32Scalar, bytes(32, 32)],
    ['Bytes', bytesScalar, bytes(0, 100)],
    ['BigInt', bigIntScalar, fc.bigInt({ min: 0n, max: (1n << 256n) - 1n })],
    ['Long', longScalar(false), fc.bigInt({ min: 0n, max: (1n << 63n) - 1n })],
    ['Long in hex', longScalar(true), fc.bigInt({ min: 0n, max: (1n << 63n) - 1n })],
  ] as const)('%s', (_, scalar, values) => {
    fc.assert(
      fc.property(values as fc.Arbitrary<unknown>, (value) => {
        const written = scalar.serialize(value)
        expect(scalar.parseValue(written)).toEqual(value)
        const literal = typeof written === 'number' ? int(String(written)) : text(written)
        expect(scalar.parseLiteral(literal)).toEqual(value)
      }),
    )
  })
})

describe('Long', () => {
  const long = longScalar(false)
  test('takes numbers, decimal strings and hex strings of either case', () => {
    expect([int('30'), text('30'), text('0x1e'), text('0X1E')].map((node) => long.parseLiteral(node))).toEqual(
      Array(4).fill(30n),
    )
    expect([30, '30', '0x1e'].map((value) => long.parseValue(value))).toEqual([30n, 30n, 30n])
  })
  test('is an integer, or hex', () => {
    expect([long.serialize(255n), long.serialize(7)]).toEqual([255, 7])
    expect([longScalar(true).serialize(255n), longScalar(true).serialize(0)]).toEqual(['0xff', '0x0'])
  })
  test('is 0 when there are no digits behind 0x, as in Besu', () => expect(long.parseValue('0x')).toBe(0n))
  test('is never rounded', () => expect(long.serialize(2n ** 53n + 1n)).toBe('0x20000000000001'))
  test.each(['', '0xg', '1.5', 'zz', '0x10000000000000000', '99999999999999999999', '1e3'])('is not %j', (value) =>
    expect(() => long.parseValue(value)).toThrow('For input string'),
  )
  test.each([1.5, true, {}])('is not %j', (value) => expect(() => long.parseValue(value)).toThrow())
})

test('BigInt takes hex with and without prefix, and numbers', () => {
  expect([
    bigIntScalar.parseLiteral(text('0x10')),
    bigIntScalar.parseLiteral(text('10')),
    bigIntScalar.parseLiteral(int('10')),
  ]).toEqual([16n, 16n, 10n])
  expect(() => bigIntScalar.parseLiteral(text('0xg'))).toThrow("Value is not any BigInt : 'StringValue{value='0xg'}'")
})

test('Bytes of an odd number of digits get a zero in front', () => {
  expect(toHex(bytesScalar.parseLiteral(text('0x123')) as Uint8Array)).toBe('0x0123')
})

test('Bytes32 are filled up on the left, and no longer than that', () => {
  expect(toHex(bytes32Scalar.parseLiteral(text('0x12')) as Uint8Array)).toBe(`0x${'12'.padStart(64, '0')}`)
  expect(() => bytes32Scalar.parseLiteral(text(`0x${'00'.repeat(33)}`))).toThrow('Value is not any Bytes32')
})
