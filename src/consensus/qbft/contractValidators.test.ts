import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { ChainView, HashedHeader } from '../../chain/view.ts'
import { concatBytes, padLeft, toAddress, toHash32 } from '../../primitives/bytes.ts'
import { toWord } from '../../primitives/u256.ts'
import { createContractValidators, decodeAddressList } from './contractValidators.ts'

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

test('a contract that gives no list is not run again on the same block', () => {
  let calls = 0
  let output: Uint8Array | undefined
  const validators = createContractValidators(() => {
    calls++
    return output
  })
  const contract = toAddress(new Uint8Array(20).fill(1))
  const blockOf = (number: number) =>
    ({ header: { number: BigInt(number) }, hash: toHash32(new Uint8Array(32).fill(number)) }) as unknown as HashedHeader
  const chain = { hashAt: (number: bigint) => new Uint8Array(32).fill(Number(number)) } as unknown as ChainView
  const ask = (number: number) => validators(contract, blockOf(number), chain)
  for (let n = 0; n < 3; n++)
    expect(() => ask(1)).toThrow(
      'the validator contract fails, spends more than 2000000 gas, or returns no list of addresses',
    )
  expect(calls).toBe(1)
  output = encode(32n, 1n, [contract])
  expect([ask(2), ask(2)]).toEqual([[contract], [contract]])
  expect(calls).toBe(2)
})
