import fc from 'fast-check'
import { expect, test } from 'vitest'
import { concatBytes, padLeft, toAddress } from '../../primitives/bytes.ts'
import { toWord } from '../../primitives/u256.ts'
import { decodeAddressList } from './contractValidators.ts'

const address = fc.uint8Array({ minLength: 20, maxLength: 20 }).map(toAddress)
const encode = (offset: bigint, count: bigint, words: readonly Uint8Array[]) =>
  concatBytes(toWord(offset), toWord(count), ...words.map((word) => padLeft(word, 32)))

test('reads the addresses that a contract returns', () => {
  fc.assert(
    fc.property(fc.array(address, { maxLength: 8 }), (list) => {
      expect(decodeAddressList(encode(32n, BigInt(list.length), list))).toEqual(list)
    }),
  )
})

test('takes no other bytes for a list', () => {
  expect(decodeAddressList(new Uint8Array(0))).toBeUndefined()
  expect(decodeAddressList(new Uint8Array(31))).toBeUndefined()
  expect(decodeAddressList(encode(32n, 2n, [new Uint8Array(32)]))).toBeUndefined()
  expect(decodeAddressList(encode(64n, 0n, []))).toBeUndefined()
  expect(decodeAddressList(encode(1n << 255n, 0n, []))).toBeUndefined()
  expect(decodeAddressList(encode(32n, 1n << 255n, []))).toBeUndefined()
})
