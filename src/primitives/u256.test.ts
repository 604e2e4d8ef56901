import fc from 'fast-check'
import { expect, test } from 'vitest'
import { bigIntToBytes, bigIntToFixed, bytesToBigInt } from './u256.ts'

const byDigits = (bytes: Uint8Array) => BigInt(`0x0${Buffer.from(bytes).toString('hex')}`)

test('bytes of any length are the number that their digits spell', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => {
      expect(bytesToBigInt(bytes)).toBe(byDigits(bytes))
    }),
  )
})

test('a number comes back from its shortest bytes', () => {
  const edges = [8n, 16n, 47n, 48n, 64n, 128n, 255n, 256n].flatMap((bits) => [(1n << bits) - 1n, 1n << bits])
  const numbers = fc.oneof(fc.constantFrom(0n, ...edges), fc.bigInt({ min: 0n, max: 1n << 300n }))
  fc.assert(
    fc.property(numbers, (n) => {
      const bytes = bigIntToBytes(n)
      expect(bytes[0]).not.toBe(0)
      expect(byDigits(bytes)).toBe(n)
    }),
  )
})

test('a fixed length is filled with zeros in front and never cut', () => {
  expect(bigIntToFixed(0x1234n, 4)).toEqual(Uint8Array.of(0, 0, 0x12, 0x34))
  expect(() => bigIntToFixed(0x1234n, 1)).toThrow('do not fit')
  expect(() => bigIntToBytes(-1n)).toThrow('negative')
})
