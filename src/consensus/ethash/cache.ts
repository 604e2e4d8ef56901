import { keccak_512 } from '@noble/hashes/sha3.js'
import { type Hash32, zeroHash } from '../../primitives/bytes.ts'
import { keccak256 } from '../../primitives/keccak.ts'
import { itemBytes } from './sizes.ts'

const rounds = 3

/** What the cache of an epoch grows from. */
export function seedOf(epoch: number): Hash32 {
  let seed = zeroHash
  for (let i = 0; i < epoch; i++) seed = keccak256(seed)
  return seed
}

/** The pseudo-random cache from which any item of the dataset can be computed. Epoch 0 takes seconds and 16 MB. */
export function createCache(bytes: number, seed: Uint8Array): Uint32Array {
  const cache = new Uint8Array(bytes)
  const words = new Uint32Array(cache.buffer)
  const items = bytes / itemBytes
  const at = (i: number) => cache.subarray(i * itemBytes, (i + 1) * itemBytes)
  cache.set(keccak_512(seed), 0)
  for (let i = 1; i < items; i++) cache.set(keccak_512(at(i - 1)), i * itemBytes)
  const mixed = new Uint8Array(itemBytes)
  for (let round = 0; round < rounds; round++)
    for (let i = 0; i < items; i++) {
      const before = at((i + items - 1) % items)
      const other = at(words[i * (itemBytes / 4)]! % items)
      for (let b = 0; b < itemBytes; b++) mixed[b] = before[b]! ^ other[b]!
      cache.set(keccak_512(mixed), i * itemBytes)
    }
  return words
}
