import { equalBytes, type Hash32, zeroHash } from '../primitives/bytes.ts'
import { keccak256 } from '../primitives/keccak.ts'

const hashOfZero = keccak256(zeroHash)

/** The slot of which a row holds the value; undefined where only its hash is known. */
export function slotOfTag(tag: Uint8Array, hash: Uint8Array): Hash32 | undefined {
  if (tag.length === 0) return equalBytes(hash, hashOfZero) ? zeroHash : undefined
  const slot = new Uint8Array(32)
  slot.set(tag, 32 - tag.length)
  return slot as Hash32
}
