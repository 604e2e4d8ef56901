import { type Hash32, zeroHash } from '../../primitives/bytes.ts'
import { keccak256 } from '../../primitives/keccak.ts'
import { keccak512Into } from './keccak512.ts'
import { itemWords } from './sizes.ts'

const rounds = 3

/** Seed of an epoch's cache. */
export function seedOf(epoch: number): Hash32 {
  let seed = zeroHash
  for (let i = 0; i < epoch; i++) seed = keccak256(seed)
  return seed
}

/** The pseudo-random cache from which any item of the dataset can be computed. Epoch 0 takes seconds and 16 MB. */
export function createCache(bytes: number, seed: Hash32): Uint32Array {
  const cache = new Uint32Array(bytes / 4)
  const items = cache.length / itemWords
  keccak512Into(new Uint32Array(seed.slice().buffer), cache, 0)
  for (let at = itemWords; at < cache.length; at += itemWords)
    keccak512Into(cache.subarray(at - itemWords, at), cache, at)
  const mixed = new Uint32Array(itemWords)
  for (let round = 0; round < rounds; round++)
    for (let i = 0; i < items; i++) {
      const before = ((i + items - 1) % items) * itemWords
      const other = (cache[i * itemWords]! % items) * itemWords
      for (let w = 0; w < itemWords; w++) mixed[w] = cache[before + w]! ^ cache[other + w]!
      keccak512Into(mixed, cache, i * itemWords)
    }
  return cache
}
