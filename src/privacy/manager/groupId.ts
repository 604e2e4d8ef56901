import { keyOf } from '../../primitives/bytes.ts'
import { keccak256 } from '../../primitives/keccak.ts'
import { encodeRlp } from '../../primitives/rlp.ts'

/** Java's hash of a byte array, by which Tessera sorts keys. */
function javaHash(bytes: Uint8Array): number {
  let hash = 1
  for (const byte of bytes) hash = (Math.imul(31, hash) + ((byte << 24) >> 24)) | 0
  return hash
}

/** Keys without repetitions, the first ones in their order. */
export function distinctKeys(keys: readonly Uint8Array[]): Uint8Array[] {
  return [...new Map(keys.map((key) => [keyOf(key), key])).values()]
}

/** The id of a group; without a seed it is that of the LEGACY group of these members. */
export function groupIdOf(members: readonly Uint8Array[], seed?: Uint8Array): Uint8Array {
  const sorted = distinctKeys(members)
    .map((key) => ({ key, hash: javaHash(key) }))
    .sort((a, b) => a.hash - b.hash)
    .map(({ key }) => key)
  return keccak256(encodeRlp(seed ? [...sorted, seed] : sorted))
}
