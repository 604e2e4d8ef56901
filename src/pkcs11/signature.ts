import { concatBytes, equalBytes, type Hash32, padLeft } from '../primitives/bytes.ts'
import { curve, curveOrder } from '../primitives/secp256k1.ts'
import { bytesToBigInt, toWord } from '../primitives/u256.ts'

/** r and s of 32 bytes each; s is the lower one of the two that are right, which is all that others take. */
export function withLowS(rs: Uint8Array): Uint8Array {
  const half = rs.length / 2
  const [r, s] = [rs.subarray(0, half), bytesToBigInt(rs.subarray(half))]
  return concatBytes(padLeft(r, 32), toWord(s > curveOrder / 2n ? curveOrder - s : s))
}

/** The signature with the parity that tells its key from the other one; undefined if neither is this key. */
export function withParity(digest: Hash32, rs: Uint8Array, publicKey: Uint8Array): Uint8Array | undefined {
  for (const parity of [0, 1]) {
    const found = curve.recover(digest, rs, parity)
    if (found && equalBytes(found, publicKey)) return concatBytes(rs, Uint8Array.of(parity))
  }
  return undefined
}

export interface SignedDigest {
  readonly digest: Hash32
  readonly rs: Uint8Array
}

/**
 * The public key of which both are signatures: each is one of two keys', and only the right one is in both pairs. Undefined if there is none, because the
 * key is not one of secp256k1.
 */
export function publicKeyOf(first: SignedDigest, second: SignedDigest): Uint8Array | undefined {
  const keysOf = ({ digest, rs }: SignedDigest) => [0, 1].flatMap((parity) => curve.recover(digest, rs, parity) ?? [])
  const others = keysOf(second)
  return keysOf(first).find((key) => others.some((other) => equalBytes(key, other)))
}
