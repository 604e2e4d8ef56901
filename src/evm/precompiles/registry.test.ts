import { expect, test } from 'vitest'
import { rulesOf } from '../../forks/rules.ts'
import type { ForkName } from '../../forks/table.ts'
import { type Address, bytesOfKey, keyOf, toAddress } from '../../primitives/bytes.ts'
import { bigIntToFixed, bytesToBigInt } from '../../primitives/u256.ts'
import { identity } from './identity.ts'
import { precompilesOf, withPrecompiles } from './registry.ts'
import { sha256 } from './sha256.ts'

function addressOf(n: bigint): Address {
  return toAddress(bigIntToFixed(n, 20))
}

function numbersOf(fork: ForkName): bigint[] {
  return [...precompilesOf(rulesOf(fork)).keys()].map((key) => bytesToBigInt(bytesOfKey(key)))
}

function upTo(last: number): bigint[] {
  return Array.from({ length: last }, (_, i) => BigInt(i + 1))
}

test.each<[ForkName, bigint[]]>([
  ['frontier', upTo(4)],
  ['spuriousDragon', upTo(4)],
  ['byzantium', upTo(8)],
  ['petersburg', upTo(8)],
  ['istanbul', upTo(9)],
  ['shanghai', upTo(9)],
  ['cancun', upTo(10)],
  ['prague', upTo(17)],
  ['osaka', [...upTo(17), 0x100n]],
])('%s has its precompiles', (fork, numbers) => {
  expect(numbersOf(fork)).toEqual(numbers)
})

test('the same fork gives the same set', () => {
  expect(precompilesOf(rulesOf('london'))).toBe(precompilesOf(rulesOf('london')))
})

test('further precompiles leave the base set as it was and go before it', () => {
  const base = precompilesOf(rulesOf('london'))
  const added = addressOf(0x7cn)
  const replaced = addressOf(2n)
  const set = withPrecompiles(base, [
    [added, identity],
    [replaced, identity],
  ])
  expect(set.get(keyOf(added))).toBe(identity)
  expect(set.get(keyOf(replaced))).toBe(identity)
  expect(base.has(keyOf(added))).toBe(false)
  expect(base.get(keyOf(replaced))).toBe(sha256)
})
