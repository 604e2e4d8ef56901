import { p256 } from '@noble/curves/nist.js'
import { generatePrivateKey } from '../keys/nodeKey.ts'
import { concatBytes } from '../primitives/bytes.ts'
import { curve } from '../primitives/secp256k1.ts'

/** Elliptic curve functions for key generation. */
export interface NodeCurve {
  generatePrivateKey(): Uint8Array
  /** 64 bytes. */
  publicKey(privateKey: Uint8Array): Uint8Array
  isPublicKey(bytes: Uint8Array): boolean
}

/** Curves that a genesis file may set as `ecCurve`. */
export const nodeCurves: Readonly<Record<string, NodeCurve>> = {
  secp256k1: { generatePrivateKey, publicKey: curve.publicKey, isPublicKey: curve.isPublicKey },
  secp256r1: {
    generatePrivateKey: () => p256.utils.randomSecretKey(),
    publicKey: (privateKey) => p256.getPublicKey(privateKey, false).subarray(1),
    isPublicKey: (bytes) =>
      bytes.length === 64 && p256.utils.isValidPublicKey(concatBytes(Uint8Array.of(4), bytes), false),
  },
}
