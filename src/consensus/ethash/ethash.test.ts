import { expect, test } from 'vitest'
import { hexToHash, toHex } from '../../primitives/hex.ts'
import { createCache, seedOf } from './cache.ts'
import { hashimoto } from './hashimoto.ts'
import { cacheBytesOf, datasetBytesOf, epochOf } from './sizes.ts'

test('an epoch has 30,000 blocks', () => {
  expect([0n, 29_999n, 30_000n, 60_001n].map(epochOf)).toEqual([0, 0, 1, 2])
})

test('sizes grow by epoch and hold a prime number of items', () => {
  expect([0, 1, 2].map(cacheBytesOf)).toEqual([16_776_896, 16_907_456, 17_039_296])
  expect([0, 1, 2].map(datasetBytesOf)).toEqual([1_073_739_904, 1_082_130_304, 1_090_514_816])
})

test('the seed of an epoch is hashed from the one before', () => {
  expect(toHex(seedOf(0))).toBe(`0x${'00'.repeat(32)}`)
  expect(toHex(seedOf(1))).toBe('0x290decd9548b62a8d60345a988386fc84ba6bc95484008f6362f93160ef3e563')
})

test('a hash over a tiny dataset has the published digest', () => {
  const cache = createCache(1024, seedOf(0))
  const header = hexToHash('c9149cc0386e689d789a1c2f3d5d169a61a6218ed30e74414dc736e442ef3d1f')
  const { mixHash, result } = hashimoto(cache, 32 * 1024, header, new Uint8Array(8))
  expect(toHex(mixHash)).toBe('0xe4073cffaef931d37117cefd9afd27ea0f1cad6a981dd2605c4a1ac97c519800')
  expect(toHex(result)).toBe('0xd3539235ee2e6f8db665c0a72169f55b7f6c605712330b778ec3944f0eb5a557')
})

test('another nonce gives another proof', () => {
  const cache = createCache(1024, seedOf(0))
  const header = hexToHash('c9149cc0386e689d789a1c2f3d5d169a61a6218ed30e74414dc736e442ef3d1f')
  const proofs = [0, 1].map((last) => hashimoto(cache, 32 * 1024, header, Uint8Array.of(0, 0, 0, 0, 0, 0, 0, last)))
  expect(toHex(proofs[0]!.mixHash)).not.toBe(toHex(proofs[1]!.mixHash))
})
