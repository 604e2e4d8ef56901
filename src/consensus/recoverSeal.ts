import { BlockError } from '../execution/fault.ts'
import type { Address, Hash32 } from '../primitives/bytes.ts'
import { recoverAddress } from '../primitives/secp256k1.ts'

/** Bytes of a seal: r, s and the parity of R's y coordinate. */
export const sealLength = 65

/** Returns who signed `digest`; undefined if the signature is invalid. */
export function recoverSigner(digest: Hash32, signature: Uint8Array): Address | undefined {
  const parity = signature[64]!
  // Recovery ids 2 and 3 exist on the curve, but not in Ethereum.
  return parity > 1 ? undefined : recoverAddress(digest, signature.subarray(0, 32), signature.subarray(32, 64), parity)
}

/** Returns who sealed `digest`; throws a BlockError if the seal is invalid. */
export function recoverSeal(digest: Hash32, seal: Uint8Array): Address {
  const signer = recoverSigner(digest, seal)
  if (!signer) throw new BlockError({ code: 'SEAL_INVALID' })
  return signer
}
