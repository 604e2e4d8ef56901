import { createCache, seedOf } from './cache.ts'
import { cacheBytesOf } from './sizes.ts'

/** A chain at an epoch's edge needs two. */
const kept = 2

/** Caches by epoch, the oldest first. */
const caches = new Map<number, Uint32Array>()

/** The cache of an epoch, made when it is first asked for. */
export function epochCache(epoch: number): Uint32Array {
  let cache = caches.get(epoch)
  if (!cache) {
    cache = createCache(cacheBytesOf(epoch), seedOf(epoch))
    for (const old of [...caches.keys()].slice(0, caches.size + 1 - kept)) caches.delete(old)
    caches.set(epoch, cache)
  }
  return cache
}
