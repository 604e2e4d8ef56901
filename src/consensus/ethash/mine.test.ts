import { expect, test } from 'vitest'
import { hexToHash } from '../../primitives/hex.ts'
import { bigIntToFixed, bytesToBigInt } from '../../primitives/u256.ts'
import { createCache, seedOf } from './cache.ts'
import { hashimoto } from './hashimoto.ts'
import { findNonce } from './mine.ts'

test('the nonce that is found is the first that fits the difficulty', () => {
  const task = {
    cache: createCache(1024, seedOf(0)),
    datasetBytes: 32 * 1024,
    sealingHash: hexToHash('c9149cc0386e689d789a1c2f3d5d169a61a6218ed30e74414dc736e442ef3d1f'),
    difficulty: 3n,
  }
  const proofs = Array.from({ length: 12 }, (_, n) => {
    const nonce = bigIntToFixed(BigInt(n), 8)
    return { nonce, ...hashimoto(task.cache, task.datasetBytes, task.sealingHash, nonce) }
  })
  const limit = (1n << 256n) / task.difficulty
  const [one, two] = proofs.filter(({ result }) => bytesToBigInt(result) <= limit)
  expect(findNonce(task, 0n)).toEqual({ nonce: one!.nonce, mixHash: one!.mixHash })
  expect(findNonce(task, bytesToBigInt(one!.nonce) + 1n)).toEqual({ nonce: two!.nonce, mixHash: two!.mixHash })
})
