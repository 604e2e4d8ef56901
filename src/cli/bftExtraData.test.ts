import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { toAddress } from '../primitives/bytes.ts'
import { toHex } from '../primitives/hex.ts'
import { encodeRlp, type RlpItem } from '../primitives/rlp.ts'
import { decodeValidators, encodeGenesisExtraData, extraDataTypes } from './bftExtraData.ts'

const addresses = fc.array(fc.uint8Array({ minLength: 20, maxLength: 20 }).map(toAddress), { maxLength: 8 })

for (const type of extraDataTypes)
  test(`${type}: decode undoes encode`, () => {
    fc.assert(
      fc.property(addresses, (validators) => {
        const decoded = decodeValidators(type, encodeGenesisExtraData(type, validators))
        expect(decoded.map(toHex)).toEqual(validators.map(toHex))
      }),
    )
  })

test('the empty forms', () => {
  const zeros = '00'.repeat(32)
  expect(toHex(encodeGenesisExtraData('IBFT_EXTRA_DATA', []))).toBe(`0xe9a0${zeros}c0808400000000c0`)
  expect(toHex(encodeGenesisExtraData('QBFT_EXTRA_DATA', []))).toBe(`0xe5a0${zeros}c0c080c0`)
})

describe('refuses', () => {
  const vanity = new Uint8Array(32)
  const none = new Uint8Array(0)
  const cases: [string, RlpItem][] = [
    ['a short vanity', [new Uint8Array(31), [], [], none, []]],
    ['a missing member', [vanity, [], [], none]],
    ['a short validator', [vanity, [new Uint8Array(19)], [], none, []]],
    ['half a vote', [vanity, [], [new Uint8Array(20)], none, []]],
    ["IBFT's vote", [vanity, [], none, none, []]],
    ["IBFT's round", [vanity, [], [], new Uint8Array(4), []]],
    ['a short seal', [vanity, [], [], none, [new Uint8Array(64)]]],
  ]
  for (const [name, item] of cases)
    test(name, () => expect(() => decodeValidators('QBFT_EXTRA_DATA', encodeRlp(item))).toThrow())
})

test('reads votes and seals of later blocks', () => {
  const validator = new Uint8Array(20).fill(7)
  const vote = [new Uint8Array(20), Uint8Array.of(0xff)]
  const seals = [new Uint8Array(65)]
  const qbft = encodeRlp([new Uint8Array(32), [validator], vote, Uint8Array.of(3), seals])
  const ibft = encodeRlp([new Uint8Array(32), [validator], vote, Uint8Array.of(0, 0, 0, 3), seals])
  expect(decodeValidators('QBFT_EXTRA_DATA', qbft)).toEqual([validator])
  expect(decodeValidators('IBFT_EXTRA_DATA', ibft)).toEqual([validator])
})
