const slabSize = 1 << 16

let slab = new Uint8Array(slabSize)
let used = 0

/**
 * Returns uninitialised bytes for short-lived use, cut from a larger array: many times cheaper than an array of its own,
 * which V8 allocates outside its heap from 65 bytes on. Keeping such bytes keeps the whole slab alive.
 */
export function cutBytes(length: number): Uint8Array {
  if (length > slabSize >> 2) return new Uint8Array(length)
  if (used + length > slabSize) {
    slab = new Uint8Array(slabSize)
    used = 0
  }
  const start = used
  used += length
  return slab.subarray(start, used)
}

/** Returns a short-lived copy. */
export function cutCopy(bytes: Uint8Array): Uint8Array {
  const out = cutBytes(bytes.length)
  out.set(bytes, 0)
  return out
}
