import { expect, test } from 'vitest'
import { rulesOf } from '../../forks/rules.ts'
import { fromHex, toHex } from '../../primitives/hex.ts'
import { identity } from './identity.ts'
import { ripemd160 } from './ripemd160.ts'
import { sha256 } from './sha256.ts'

const rules = rulesOf('osaka')
const abc = new TextEncoder().encode('abc')

test('SHA-256', () => {
  expect(toHex(sha256.run(abc)!)).toBe('0xba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
  expect([0, 1, 32, 33].map((n) => sha256.gas(new Uint8Array(n), rules))).toEqual([60n, 72n, 72n, 84n])
})

test('RIPEMD-160 is padded to a word', () => {
  expect(toHex(ripemd160.run(abc)!)).toBe('0x' + '00'.repeat(12) + '8eb208f7e05d987a9b044a8e98c6b087f15a0bfc')
  expect([0, 1, 32, 33].map((n) => ripemd160.gas(new Uint8Array(n), rules))).toEqual([600n, 720n, 720n, 840n])
})

test('identity copies', () => {
  const input = fromHex('0x0102')
  const output = identity.run(input)!
  input[0] = 9
  expect(toHex(output)).toBe('0x0102')
  expect([0, 1, 32, 33].map((n) => identity.gas(new Uint8Array(n), rules))).toEqual([15n, 18n, 18n, 21n])
})
