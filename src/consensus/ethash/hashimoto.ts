import { concatBytes, type Hash32 } from '../../primitives/bytes.ts'
import { keccak256 } from '../../primitives/keccak.ts'
import { keccak512Into } from './keccak512.ts'
import { itemWords, mixBytes } from './sizes.ts'

const mixWords = mixBytes / 4
const parents = 256
const accesses = 64
const fnvPrime = 0x01000193

function fnv(a: number, b: number): number {
  return (Math.imul(a, fnvPrime) ^ b) >>> 0
}

/** Computes one item of the dataset from the cache. */
function datasetItem(cache: Uint32Array, index: number): Uint32Array {
  const items = cache.length / itemWords
  const start = (index % items) * itemWords
  const mix = cache.slice(start, start + itemWords)
  mix[0]! ^= index
  keccak512Into(mix, mix, 0)
  for (let j = 0; j < parents; j++) {
    const parent = (fnv(index ^ j, mix[j % itemWords]!) % items) * itemWords
    for (let w = 0; w < itemWords; w++) mix[w] = fnv(mix[w]!, cache[parent + w]!)
  }
  keccak512Into(mix, mix, 0)
  return mix
}

function seedOf(sealingHash: Hash32, nonce: Uint8Array): Uint32Array {
  const seed = new Uint32Array(itemWords)
  keccak512Into(new Uint32Array(concatBytes(sealingHash, Uint8Array.from(nonce).reverse()).buffer), seed, 0)
  return seed
}

/** Result of hashing: the mix hash for the header, and the number that must be below the target. */
export interface Proof {
  readonly mixHash: Hash32
  readonly result: Hash32
}

/** Ethash of a header's sealing hash and nonce (8 bytes, big-endian), over a dataset that is computed from the cache. */
export function hashimoto(cache: Uint32Array, datasetBytes: number, sealingHash: Hash32, nonce: Uint8Array): Proof {
  const seed = seedOf(sealingHash, nonce)
  const mix = new Uint32Array(mixWords)
  mix.set(seed, 0)
  mix.set(seed, itemWords)
  const pages = datasetBytes / mixBytes
  for (let i = 0; i < accesses; i++) {
    const page = fnv(i ^ seed[0]!, mix[i % mixWords]!) % pages
    for (let half = 0; half < 2; half++) {
      const item = datasetItem(cache, 2 * page + half)
      for (let w = 0; w < itemWords; w++) mix[half * itemWords + w] = fnv(mix[half * itemWords + w]!, item[w]!)
    }
  }
  const digest = new Uint32Array(mixWords / 4)
  for (let i = 0; i < mixWords; i += 4) digest[i / 4] = fnv(fnv(fnv(mix[i]!, mix[i + 1]!), mix[i + 2]!), mix[i + 3]!)
  const mixHash = new Uint8Array(digest.buffer) as Hash32
  return { mixHash, result: keccak256(concatBytes(new Uint8Array(seed.buffer), mixHash)) }
}
