import { blake2b } from '@noble/hashes/blake2.js'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { rulesOf } from '../../forks/rules.ts'
import { toHex } from '../../primitives/hex.ts'
import { blake2f } from './blake2f.ts'

// The starting state of BLAKE2b for a 64-byte digest without key: the square roots' bits and the parameter block.
const start = [
  0x6a09e667f3bcc908n ^ 0x01010040n,
  0xbb67ae8584caa73bn,
  0x3c6ef372fe94f82bn,
  0xa54ff53a5f1d36f1n,
  0x510e527fade682d1n,
  0x9b05688c2b3e6c1fn,
  0x1f83d9abfb41bd6bn,
  0x5be0cd19137e2179n,
]

function inputOf(message: Uint8Array, rounds: number, final: number): Uint8Array {
  const input = new Uint8Array(213)
  const view = new DataView(input.buffer)
  view.setUint32(0, rounds)
  for (const [i, word] of start.entries()) view.setBigUint64(4 + 8 * i, word, true)
  input.set(message, 68)
  view.setBigUint64(196, BigInt(message.length), true)
  input[212] = final
  return input
}

test('twelve rounds on a final block are BLAKE2b', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 128 }), (message) => {
      expect(blake2f.run(inputOf(message, 12, 1))).toEqual(blake2b(message))
    }),
  )
})

// Published with EIP-152.
test.each([
  [0, 1, '08c9bcf367e6096a3ba7ca8485ae67bb2bf894fe72f36e3cf1361d5f3af54fa5'],
  [12, 0, '75ab69d3190a562c51aef8d88f1c2775876944407270c42c9844252c26d28752'],
  [1, 1, 'b63a380cb2897d521994a85234ee2c181b5f844d2c624c002677e9703449d2fb'],
])('%i rounds, final flag %i', (rounds, final, digest) => {
  const output = blake2f.run(inputOf(new TextEncoder().encode('abc'), rounds, final))!
  expect(toHex(output).slice(2, 66)).toBe(digest)
})

test('a round costs one gas', () => {
  expect(blake2f.gas(inputOf(new Uint8Array(0), 0xffffffff, 0), rulesOf('istanbul'))).toBe(0xffffffffn)
  expect(blake2f.gas(new Uint8Array(3), rulesOf('istanbul'))).toBe(0n)
})

test('fails for another length and another flag', () => {
  const input = inputOf(new Uint8Array(0), 1, 2)
  expect(blake2f.run(input)).toBeUndefined()
  expect(blake2f.run(input.subarray(0, 212))).toBeUndefined()
  expect(blake2f.run(new Uint8Array(214))).toBeUndefined()
})
