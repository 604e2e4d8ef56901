import { createCache, seedOf } from './cache.ts'
import { cacheBytesOf } from './sizes.ts'

/** Caches kept: blocks around the end of an epoch need two. */
const kept = 2

/** Caches by epoch, the oldest first. */
const caches = new Map<number, Uint32Array>()

/** Returns the cache of an epoch, which is computed on first use. */
export function epochCache(epoch: number): Uint32Array {
  let cache = caches.get(epoch)
  if (!cache) {
    cache = createCache(cacheBytesOf(epoch), seedOf(epoch))
    for (const old of [...caches.keys()].slice(0, caches.size + 1 - kept)) caches.delete(old)
    caches.set(epoch, cache)
  }
  return cache
}
