import { createHash, randomBytes } from 'node:crypto'
import { hsalsa, xsalsa20poly1305 } from '@noble/ciphers/salsa.js'
import { x25519 } from '@noble/curves/ed25519.js'
import { keyOf } from '../primitives/bytes.ts'
import { createRecentMap } from '../primitives/recentMap.ts'
import type { KeyPair } from './keys.ts'
import { keyLength, type SealedPayload } from './payload.ts'

/** Seals payloads with, and opens them by, the keys of one manager. */
export interface Sealing {
  /** Seals a message of one of our keys for recipients, of whom the sender should be one. */
  seal(message: Uint8Array, from: KeyPair, recipients: readonly Uint8Array[], privacyGroupId: Uint8Array): SealedPayload
  /** The message, if one of our keys (`reader`, if given) is that recipient, or the sender, and nothing was tampered with. */
  open(payload: SealedPayload, at: number, reader?: Uint8Array): Uint8Array | undefined
  /** Our key pair with this public key. */
  own(publicKey: Uint8Array): KeyPair | undefined
}

/** Shared keys that are remembered: one takes longer than all the rest of a payload. */
const maxShared = 10_000

/** The key of a payload: the hash of its cipher text. */
export function hashPayload({ cipherText }: SealedPayload): Uint8Array {
  return new Uint8Array(createHash('sha512-256').update(cipherText).digest())
}

export function createSealing(keys: readonly KeyPair[]): Sealing {
  const byKey = new Map(keys.map((pair) => [keyOf(pair.publicKey), pair]))
  const shared = createRecentMap<string, Uint8Array>(maxShared)

  /** NaCl's `crypto_box_beforenm`; undefined for a public key that nobody can have made. */
  function sharedKey(own: KeyPair, other: Uint8Array): Uint8Array | undefined {
    const name = keyOf(own.publicKey) + keyOf(other)
    const known = shared.use(name)
    if (known) return known
    try {
      const made = hsalsaKey(x25519.getSharedSecret(own.privateKey, other))
      shared.set(name, made)
      return made
    } catch {
      return undefined
    }
  }

  function secretOf(payload: SealedPayload, at: number, reader: Uint8Array | undefined): Uint8Array | undefined {
    const recipient = payload.recipients[at]!
    const mayUse = (pair: KeyPair | undefined): pair is KeyPair =>
      pair !== undefined && (reader === undefined || keyOf(reader) === keyOf(pair.publicKey))
    const asRecipient = byKey.get(keyOf(recipient))
    if (mayUse(asRecipient)) return sharedKey(asRecipient, payload.sender)
    // Both sides share one key: a sender who has lost his copy can open one that a recipient sends back.
    const asSender = byKey.get(keyOf(payload.sender))
    return mayUse(asSender) ? sharedKey(asSender, recipient) : undefined
  }

  return {
    seal(message, from, recipients, privacyGroupId) {
      const random = new Uint8Array(randomBytes(keyLength + 24 + 24))
      const master = random.subarray(0, keyLength)
      const nonce = random.slice(keyLength, keyLength + 24)
      const recipientNonce = random.slice(keyLength + 24)
      const boxes = recipients.map((recipient) => {
        const secret = sharedKey(from, recipient)
        if (!secret) throw new RangeError('not a public key')
        return xsalsa20poly1305(secret, recipientNonce).encrypt(master)
      })
      const cipherText = xsalsa20poly1305(master, nonce).encrypt(message)
      return { sender: from.publicKey, cipherText, nonce, recipientNonce, boxes, recipients, privacyGroupId }
    },
    open(payload, at, reader) {
      const secret = secretOf(payload, at, reader)
      if (!secret) return undefined
      try {
        const master = xsalsa20poly1305(secret, payload.recipientNonce).decrypt(payload.boxes[at]!)
        return xsalsa20poly1305(master, payload.nonce).decrypt(payload.cipherText)
      } catch {
        return undefined
      }
    },
    own: (publicKey) => byKey.get(keyOf(publicKey)),
  }
}

/** HSalsa20 of a shared secret and zeros. */
function hsalsaKey(secret: Uint8Array): Uint8Array {
  const out = new Uint32Array(8)
  const words = (bytes: Uint8Array) => new Uint32Array(bytes.slice().buffer)
  hsalsa(words(new TextEncoder().encode('expand 32-byte k')), words(secret), new Uint32Array(4), out)
  return new Uint8Array(out.buffer)
}
