import type { Hash32 } from '../../primitives/bytes.ts'

export const maxKey = new Uint8Array(32).fill(0xff) as Hash32

/** The key after `key`; undefined after the last one. */
export function keyAfter(key: Hash32): Hash32 | undefined {
  const next = key.slice() as Hash32
  for (let i = 31; i >= 0; i--) {
    next[i]!++
    if (next[i] !== 0) return next
  }
  return undefined
}

/** A part of the key space, both ends included. */
export interface KeyPart {
  readonly from: Hash32
  readonly to: Hash32
}

/** The key space in `count` parts, a power of two up to 256. */
export function divideKeys(count: number): KeyPart[] {
  const step = 256 / count
  return Array.from({ length: count }, (_, i) => {
    const from = new Uint8Array(32) as Hash32
    const to = maxKey.slice() as Hash32
    from[0] = i * step
    to[0] = (i + 1) * step - 1
    return { from, to }
  })
}
