import { keccak256 } from '../../src/primitives/keccak.ts'

/** Bytes that look random and are the same each time for a seed. */
export function pseudoRandom(seed: string, length: number): Uint8Array {
  const out = new Uint8Array(Math.ceil(length / 32) * 32)
  let digest = keccak256(new TextEncoder().encode(seed))
  for (let at = 0; at < out.length; at += 32) {
    out.set(digest, at)
    digest = keccak256(digest)
  }
  return out.subarray(0, length)
}
