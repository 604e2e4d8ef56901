import { type Address, keyOf } from '../../primitives/bytes.ts'
import { keccak256 } from '../../primitives/keccak.ts'
import { encodeRlp, scalar } from '../../primitives/rlp.ts'

/** Java's hash of a byte array, by which Besu and Tessera sort the members of a group. */
function javaHash(bytes: Uint8Array): number {
  let hash = 1
  for (const byte of bytes) hash = (Math.imul(31, hash) + ((byte << 24) >> 24)) | 0
  return hash
}

/** Keys without repetitions, the first ones in their order. */
export function distinctKeys(keys: readonly Uint8Array[]): Uint8Array[] {
  return [...new Map(keys.map((key) => [keyOf(key), key])).values()]
}

/** The id of a group, whatever the order of its members; without a seed it is that of their LEGACY group. */
export function groupIdOf(members: readonly Uint8Array[], seed?: Uint8Array): Uint8Array {
  const sorted = distinctKeys(members)
    .map((key) => ({ key, hash: javaHash(key) }))
    .sort((a, b) => a.hash - b.hash)
    .map(({ key }) => key)
  return keccak256(encodeRlp(seed ? [...sorted, seed] : sorted))
}

/** The address of a contract that a private transaction itself creates; contracts create others as usual. */
export function privateContractAddress(sender: Address, nonce: bigint, groupId: Uint8Array): Address {
  return keccak256(encodeRlp([sender, scalar(nonce), groupId])).slice(12) as Uint8Array as Address
}
