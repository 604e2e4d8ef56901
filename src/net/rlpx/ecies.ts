import { createCipheriv, createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { concatBytes, emptyBytes } from '../../primitives/bytes.ts'
import { curve } from '../../primitives/secp256k1.ts'
import { NetError } from '../fault.ts'

/** Bytes that encryption adds: prefix and ephemeral key, initialisation vector, authentication code. */
export const eciesOverhead = 65 + 16 + 32

interface Keys {
  readonly cipher: Uint8Array
  readonly mac: Uint8Array
}

const counter = Uint8Array.of(0, 0, 0, 1)

function sha256(...parts: Uint8Array[]): Uint8Array {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  return hash.digest()
}

function deriveKeys(sharedX: Uint8Array): Keys {
  const material = sha256(counter, sharedX)
  return { cipher: material.subarray(0, 16), mac: sha256(material.subarray(16, 32)) }
}

function tagOf(keys: Keys, ivAndCipher: Uint8Array, authenticated: Uint8Array): Uint8Array {
  return createHmac('sha256', keys.mac).update(ivAndCipher).update(authenticated).digest()
}

/**
 * Work that needs the key of the node for nothing but to agree on secrets: it yields public keys, and goes on with the x coordinates of
 * the points that are shared with their owners. Who holds the key decides when.
 */
export type Agreeing<T> = Generator<Uint8Array, T, Uint8Array>

function checkPoint(publicKey: Uint8Array): void {
  if (!curve.isPublicKey(publicKey))
    throw new NetError({ code: 'BAD_HANDSHAKE', reason: 'public key is not on the curve' })
}

/** The secret that the node shares with the owner of a public key. */
export function* sharedWith(publicKey: Uint8Array): Agreeing<Uint8Array> {
  checkPoint(publicKey)
  return yield publicKey
}

/** The secret that the owner of a key of this one connection shares with another. */
export function ephemeralSecret(privateKey: Uint8Array, publicKey: Uint8Array): Uint8Array {
  checkPoint(publicKey)
  return curve.sharedPoint(privateKey, publicKey).slice(0, 32)
}

/** Encrypts `message` for a public key; `authenticated` is covered by the authentication code but not included. */
export function eciesEncrypt(
  publicKey: Uint8Array,
  message: Uint8Array,
  authenticated: Uint8Array,
  ephemeralKey: Uint8Array,
  iv: Uint8Array,
): Uint8Array {
  const keys = deriveKeys(ephemeralSecret(ephemeralKey, publicKey))
  const cipher = createCipheriv('aes-128-ctr', keys.cipher, iv).update(message)
  const ivAndCipher = concatBytes(iv, cipher)
  const prefix = Uint8Array.of(4)
  return concatBytes(prefix, curve.publicKey(ephemeralKey), ivAndCipher, tagOf(keys, ivAndCipher, authenticated))
}

/** Decrypts a message; throws if it is invalid or for another key. */
export function* eciesDecrypt(sealed: Uint8Array, authenticated: Uint8Array = emptyBytes): Agreeing<Uint8Array> {
  if (sealed.length < eciesOverhead || sealed[0] !== 4)
    throw new NetError({ code: 'BAD_HANDSHAKE', reason: 'not encrypted' })
  const keys = deriveKeys(yield* sharedWith(sealed.subarray(1, 65)))
  const ivAndCipher = sealed.subarray(65, sealed.length - 32)
  if (!timingSafeEqual(tagOf(keys, ivAndCipher, authenticated), sealed.subarray(sealed.length - 32)))
    throw new NetError({ code: 'BAD_HANDSHAKE', reason: 'encrypted for another key' })
  return createCipheriv('aes-128-ctr', keys.cipher, ivAndCipher.subarray(0, 16)).update(ivAndCipher.subarray(16))
}
