import { createRequire } from 'node:module'
import { secp256k1 as noble } from '@noble/curves/secp256k1.js'
import { type Address, type Hash32, padLeft } from './bytes.ts'
import { keccak256 } from './keccak.ts'

/** 64 bytes r‖s and the parity of R's y coordinate (0 or 1). */
export interface Signature {
  readonly rs: Uint8Array
  readonly parity: number
}

/** Operations on secp256k1; keys and points are raw bytes, public keys are 64 bytes without prefix. */
export interface Curve {
  readonly name: 'native' | 'javascript'
  publicKey(privateKey: Uint8Array): Uint8Array
  sign(digest: Hash32, privateKey: Uint8Array): Signature
  /** The signer's public key, or undefined if the signature is invalid. */
  recover(digest: Hash32, rs: Uint8Array, parity: number): Uint8Array | undefined
  /** x‖y of privateKey · publicKey. */
  sharedPoint(privateKey: Uint8Array, publicKey: Uint8Array): Uint8Array
  isPrivateKey(bytes: Uint8Array): boolean
  isPublicKey(bytes: Uint8Array): boolean
  /** Returns the public key of its 33-byte form, or undefined if that is not a point of the curve. */
  expand(compressed: Uint8Array): Uint8Array | undefined
}

type Bindings = typeof import('secp256k1')

function withPrefix(publicKey: Uint8Array): Uint8Array {
  const out = new Uint8Array(65)
  out[0] = 4
  out.set(publicKey, 1)
  return out
}

/** libsecp256k1 compiled for this platform; undefined if the package has no binary for it. */
export function createNativeCurve(): Curve | undefined {
  let native: Bindings
  try {
    native = createRequire(import.meta.url)('secp256k1/bindings.js') as Bindings
  } catch {
    return undefined
  }
  return {
    name: 'native',
    publicKey: (privateKey) => native.publicKeyCreate(privateKey, false).subarray(1),
    sign(digest, privateKey) {
      const { signature, recid } = native.ecdsaSign(digest, privateKey)
      return { rs: signature, parity: recid }
    },
    recover(digest, rs, parity) {
      try {
        return native.ecdsaRecover(rs, parity, digest, false).subarray(1)
      } catch {
        return undefined
      }
    },
    sharedPoint: (privateKey, publicKey) =>
      native.publicKeyTweakMul(withPrefix(publicKey), privateKey, false).subarray(1),
    isPrivateKey: (bytes) => bytes.length === 32 && native.privateKeyVerify(bytes),
    isPublicKey: (bytes) => bytes.length === 64 && native.publicKeyVerify(withPrefix(bytes)),
    expand(compressed) {
      if (compressed.length !== 33 || !native.publicKeyVerify(compressed)) return undefined
      return native.publicKeyConvert(compressed, false).subarray(1)
    },
  }
}

/** secp256k1 in JavaScript, for platforms without a binary; about 25 times slower. */
export function createJavaScriptCurve(): Curve {
  return {
    name: 'javascript',
    publicKey: (privateKey) => noble.getPublicKey(privateKey, false).subarray(1),
    sign(digest, privateKey) {
      const bytes = noble.sign(digest, privateKey, { prehash: false, format: 'recovered', lowS: true })
      return { rs: bytes.slice(1), parity: bytes[0]! }
    },
    recover(digest, rs, parity) {
      try {
        const signature = noble.Signature.fromBytes(rs, 'compact').addRecoveryBit(parity)
        return signature.recoverPublicKey(digest).toBytes(false).subarray(1)
      } catch {
        return undefined
      }
    },
    sharedPoint: (privateKey, publicKey) => noble.getSharedSecret(privateKey, withPrefix(publicKey), false).subarray(1),
    isPrivateKey: (bytes) => noble.utils.isValidSecretKey(bytes),
    isPublicKey: (bytes) => bytes.length === 64 && noble.utils.isValidPublicKey(withPrefix(bytes), false),
    expand(compressed) {
      if (compressed.length !== 33 || !noble.utils.isValidPublicKey(compressed, true)) return undefined
      return noble.Point.fromBytes(compressed).toBytes(false).subarray(1)
    },
  }
}

/** The fastest implementation on this platform. */
export const curve: Curve = createNativeCurve() ?? createJavaScriptCurve()

/** Order of the group. */
export const curveOrder = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n

/** Returns the 33-byte form of a public key: a byte for the parity of y, then x. */
export function compressPublicKey(publicKey: Uint8Array): Uint8Array {
  const out = new Uint8Array(33)
  out[0] = 2 + (publicKey[63]! & 1)
  out.set(publicKey.subarray(0, 32), 1)
  return out
}

/** Last 20 bytes of the public key's digest. */
export function publicKeyToAddress(publicKey: Uint8Array): Address {
  return keccak256(publicKey).slice(12) as Uint8Array as Address
}

export function privateKeyToAddress(privateKey: Uint8Array): Address {
  return publicKeyToAddress(curve.publicKey(privateKey))
}

/** Address that signed `digest`, or undefined. `r` and `s` may lack their leading zeros. */
export function recoverAddress(digest: Hash32, r: Uint8Array, s: Uint8Array, parity: number): Address | undefined {
  const rs = new Uint8Array(64)
  rs.set(padLeft(r, 32), 0)
  rs.set(padLeft(s, 32), 32)
  const publicKey = curve.recover(digest, rs, parity)
  return publicKey && publicKeyToAddress(publicKey)
}
