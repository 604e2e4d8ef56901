import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  bytesOfKey,
  compareBytes,
  concatBytes,
  equalBytes,
  keyOf,
  padLeft,
  toAddress,
  toHash32,
  trimZeros,
} from './bytes.ts'
import { fromHex, toHex } from './hex.ts'
import { bigIntToBytes, bigIntToFixed, bytesToBigInt } from './u256.ts'

const bytes = fc.uint8Array({ maxLength: 50 })

describe('bytes', () => {
  test('order is that of Buffer.compare', () => {
    fc.assert(
      fc.property(bytes, bytes, (a, b) => {
        expect(Math.sign(compareBytes(a, b))).toBe(Buffer.compare(a, b))
        expect(equalBytes(a, b)).toBe(Buffer.compare(a, b) === 0)
      }),
    )
  })

  test('keys and hex undo themselves', () => {
    fc.assert(
      fc.property(bytes, (a) => {
        expect(bytesOfKey(keyOf(a))).toEqual(a)
        expect(fromHex(toHex(a))).toEqual(a)
      }),
    )
  })

  test('concatenation, trimming and padding', () => {
    fc.assert(
      fc.property(bytes, bytes, (a, b) => {
        expect(concatBytes(a, b)).toEqual(new Uint8Array([...a, ...b]))
        expect(padLeft(trimZeros(a), a.length)).toEqual(a)
      }),
    )
  })

  test('numbers', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: (1n << 256n) - 1n }), (n) => {
        expect(bytesToBigInt(bigIntToBytes(n))).toBe(n)
        expect(bytesToBigInt(bigIntToFixed(n, 32))).toBe(n)
      }),
    )
    expect(() => bigIntToBytes(-1n)).toThrow(RangeError)
    expect(() => bigIntToFixed(256n, 1)).toThrow(RangeError)
  })

  test('wrong lengths and digits are refused', () => {
    expect(() => toAddress(new Uint8Array(19))).toThrow('20 bytes')
    expect(() => toHash32(new Uint8Array(33))).toThrow('32 bytes')
    expect(() => fromHex('0xabc')).toThrow('not hexadecimal')
    expect(() => fromHex('0xzz')).toThrow('not hexadecimal')
  })
})
