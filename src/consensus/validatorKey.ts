import { type Address, concatBytes, type Hash32 } from '../primitives/bytes.ts'
import { curve, privateKeyToAddress } from '../primitives/secp256k1.ts'

/** Signs for a validator with its node key. */
export interface ValidatorKey {
  readonly address: Address
  /** 65 bytes: r, s and the parity of R's y coordinate. */
  sign(digest: Hash32): Uint8Array
}

export function createValidatorKey(privateKey: Uint8Array): ValidatorKey {
  return {
    address: privateKeyToAddress(privateKey),
    sign(digest) {
      const { rs, parity } = curve.sign(digest, privateKey)
      return concatBytes(rs, Uint8Array.of(parity))
    },
  }
}
