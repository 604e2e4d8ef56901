import { getAddress } from 'ethers'
import { expect, test } from 'vitest'
import { fromHex } from '../primitives/hex.ts'
import { keccak256 } from '../primitives/keccak.ts'
import { checksumAddress } from './checksumAddress.ts'

test.each(Array.from({ length: 20 }, (_, i) => [i]))('address %i is written as other libraries write it', (i) => {
  const address = keccak256(Uint8Array.of(i)).subarray(12)
  const text = checksumAddress(address)
  expect(text).toBe(getAddress(text.toLowerCase()))
  expect(fromHex(text)).toEqual(new Uint8Array(address))
})
