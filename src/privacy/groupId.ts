import { type Address, keyOf } from '../primitives/bytes.ts'
import { keccak256 } from '../primitives/keccak.ts'
import { encodeRlp, scalar } from '../primitives/rlp.ts'

/** Java's hash of a byte array: Besu sorts the members of a group by it. */
function javaHash(bytes: Uint8Array): number {
  let hash = 1
  for (const byte of bytes) hash = (Math.imul(31, hash) + ((byte << 24) >> 24)) | 0
  return hash
}

/** The id of the group that `privateFrom` and `privateFor` make; the order and repetitions of keys do not matter. */
export function legacyGroupId(keys: readonly Uint8Array[]): Uint8Array {
  const distinct = [...new Map(keys.map((key) => [keyOf(key), key])).values()]
  const sorted = distinct
    .map((key) => ({ key, hash: javaHash(key) }))
    .sort((a, b) => a.hash - b.hash)
    .map(({ key }) => key)
  return keccak256(encodeRlp(sorted))
}

/** The address of a contract that a private transaction itself creates; contracts create others as usual. */
export function privateContractAddress(sender: Address, nonce: bigint, groupId: Uint8Array): Address {
  return keccak256(encodeRlp([sender, scalar(nonce), groupId])).slice(12) as Uint8Array as Address
}
