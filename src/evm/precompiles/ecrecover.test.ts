import { describe, expect, test } from 'vitest'
import { rulesOf } from '../../forks/rules.ts'
import { concatBytes, padLeft } from '../../primitives/bytes.ts'
import { keccak256 } from '../../primitives/keccak.ts'
import { curve, curveOrder, privateKeyToAddress } from '../../primitives/secp256k1.ts'
import { bytesToBigInt, toWord } from '../../primitives/u256.ts'
import { ecrecover } from './ecrecover.ts'

const key = keccak256(new Uint8Array([1]))
const digest = keccak256(new Uint8Array([2]))
const { rs, parity } = curve.sign(digest, key)
const address = padLeft(privateKeyToAddress(key), 32)

function inputOf(v: bigint, r = rs.subarray(0, 32), s = rs.subarray(32)): Uint8Array {
  return concatBytes(digest, toWord(v), r, s)
}

const v = BigInt(27 + parity)

test('gives the signer', () => {
  expect(ecrecover.run(inputOf(v))).toEqual(address)
  expect(ecrecover.gas(inputOf(v), rulesOf('osaka'))).toBe(3000n)
})

test('ignores what follows', () => {
  expect(ecrecover.run(concatBytes(inputOf(v), new Uint8Array([1, 2, 3])))).toEqual(address)
})

test('takes an s of the upper half, which flips the parity', () => {
  const upper = toWord(curveOrder - bytesToBigInt(rs.subarray(32)))
  expect(ecrecover.run(inputOf(v === 27n ? 28n : 27n, undefined, upper))).toEqual(address)
})

describe('gives nothing for', () => {
  test.each([
    ['no input', new Uint8Array(0)],
    ['v below 27', inputOf(26n)],
    ['v above 28', inputOf(29n)],
    ['v with a higher byte', inputOf(256n + v)],
    ['r of zero', inputOf(v, toWord(0n))],
    ['s of zero', inputOf(v, undefined, toWord(0n))],
    ['r of the order', inputOf(v, toWord(curveOrder))],
    ['s of the order', inputOf(v, undefined, toWord(curveOrder))],
    ['a cut s', inputOf(v).subarray(0, 96)],
  ])('%s', (_, input) => {
    expect(ecrecover.run(input)).toEqual(new Uint8Array(0))
  })
})
