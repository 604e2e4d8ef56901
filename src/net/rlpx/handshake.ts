import { concatBytes, emptyBytes, type Hash32 } from '../../primitives/bytes.ts'
import { createRunningKeccak, keccak256, type RunningKeccak } from '../../primitives/keccak.ts'
import { decodeRlp, encodeRlp, type RlpItem, rlpBytes, rlpItemEnd, rlpList, scalar } from '../../primitives/rlp.ts'
import { curve } from '../../primitives/secp256k1.ts'
import { NetError } from '../fault.ts'
import { eciesOpen, eciesOverhead, eciesSeal, sharedSecret } from './ecies.ts'

/** Random bytes, as a port. */
export type Random = (length: number) => Uint8Array

/** What both sides know after the handshake. */
export interface Secrets {
  readonly remoteId: Uint8Array
  readonly aes: Uint8Array
  readonly mac: Uint8Array
  readonly egress: RunningKeccak
  readonly ingress: RunningKeccak
}

const version = 4
/** Largest handshake message that is read; those in use have some 500 bytes. */
const maxLength = 2048
const authLength = 65 + 32 + 64 + 32 + 1 + eciesOverhead
const ackLength = 64 + 32 + 1 + eciesOverhead

/** The end of a handshake. */
export interface Agreement {
  readonly secrets: Secrets
  /** How many of the bytes given belonged to it. */
  readonly used: number
  /** What the side that was called has to send. */
  readonly ack?: Uint8Array
}

/** A handshake that was begun: what to send, and how to go on with the answer. */
export interface Initiation {
  readonly auth: Uint8Array
  /** Undefined while the answer is incomplete. */
  finish(data: Uint8Array): Agreement | undefined
}

/** Begins the handshake as the side that dialled, in the form of EIP-8. */
export function initiate(key: Uint8Array, remoteId: Uint8Array, random: Random): Initiation {
  const ephemeral = privateKey(random)
  const nonce = random(32)
  const { rs, parity } = curve.sign(xor(sharedSecret(key, remoteId), nonce) as Hash32, ephemeral)
  const signature = concatBytes(rs, Uint8Array.of(parity))
  const auth = sealed(remoteId, [signature, curve.publicKey(key), nonce, scalar(version)], random)
  return {
    auth,
    finish(data) {
      const message = openMessage(key, data, ackLength)
      if (!message) return undefined
      const { plain, packet, old } = message
      const items = old ? undefined : firstList(plain)
      const remoteEphemeral = items ? rlpBytes(items[0], 64) : plain.subarray(0, 64)
      const remoteNonce = items ? rlpBytes(items[1], 32) : plain.subarray(64, 96)
      const agreed = agree(sharedSecret(ephemeral, remoteEphemeral), remoteNonce, nonce)
      const egress = macState(agreed.mac, remoteNonce, auth)
      const ingress = macState(agreed.mac, nonce, packet)
      return { secrets: { remoteId, ...agreed, egress, ingress }, used: packet.length }
    },
  }
}

/** The answer to a handshake that the other side began, or undefined while its message is incomplete. */
export function respond(key: Uint8Array, data: Uint8Array, random: Random): Agreement | undefined {
  const message = openMessage(key, data, authLength)
  if (!message) return undefined
  const { plain, packet, old } = message
  const items = old ? undefined : firstList(plain)
  const signature = items ? rlpBytes(items[0], 65) : plain.subarray(0, 65)
  const remoteId = (items ? rlpBytes(items[1], 64) : plain.subarray(97, 161)).slice()
  const remoteNonce = items ? rlpBytes(items[2], 32) : plain.subarray(161, 193)
  const digest = xor(sharedSecret(key, remoteId), remoteNonce) as Hash32
  const remoteEphemeral = curve.recover(digest, signature.subarray(0, 64), signature[64]!)
  if (!remoteEphemeral) throw new NetError({ code: 'BAD_HANDSHAKE', reason: 'signature' })

  const ephemeral = privateKey(random)
  const nonce = random(32)
  const own = curve.publicKey(ephemeral)
  const ack = old
    ? eciesSeal(remoteId, concatBytes(own, nonce, Uint8Array.of(0)), emptyBytes, privateKey(random), random(16))
    : sealed(remoteId, [own, nonce, scalar(version)], random)
  const agreed = agree(sharedSecret(ephemeral, remoteEphemeral), nonce, remoteNonce)
  const egress = macState(agreed.mac, remoteNonce, ack)
  const ingress = macState(agreed.mac, nonce, packet)
  return { ack, secrets: { remoteId, ...agreed, egress, ingress }, used: packet.length }
}

interface Message {
  readonly plain: Uint8Array
  /** The bytes as they came, which go into the MAC states. */
  readonly packet: Uint8Array
  readonly old: boolean
}

/** Opens the message at the start of `data`: two bytes of length and then that many, or the older fixed length. */
function openMessage(key: Uint8Array, data: Uint8Array, oldLength: number): Message | undefined {
  if (data.length < 2) return undefined
  // The old form starts with the prefix of a point; so do lengths from 1024, for which opening it fails.
  if (data[0] === 4) {
    if (data.length < oldLength) return undefined
    const packet = data.slice(0, oldLength)
    try {
      return { plain: eciesOpen(key, packet), packet, old: true }
    } catch (error) {
      if (!(error instanceof NetError)) throw error
    }
  }
  const length = data[0]! * 256 + data[1]!
  if (length > maxLength || length < eciesOverhead) throw new NetError({ code: 'BAD_HANDSHAKE', reason: 'length' })
  if (data.length < 2 + length) return undefined
  const packet = data.slice(0, 2 + length)
  return { plain: eciesOpen(key, packet.subarray(2), packet.subarray(0, 2)), packet, old: false }
}

/** A message in the form of EIP-8, with padding that makes its length tell nothing. */
function sealed(remoteId: Uint8Array, items: readonly RlpItem[], random: Random): Uint8Array {
  const padding = random(100 + (random(1)[0]! % 100))
  const plain = concatBytes(encodeRlp(items), padding)
  const length = plain.length + eciesOverhead
  const prefix = Uint8Array.of(length >> 8, length & 0xff)
  return concatBytes(prefix, eciesSeal(remoteId, plain, prefix, privateKey(random), random(16)))
}

/** The list in front of the padding; further members are ignored, as EIP-8 wants. */
function firstList(plain: Uint8Array): readonly RlpItem[] {
  return rlpList(decodeRlp(plain.subarray(0, rlpItemEnd(plain, 0))))
}

function agree(ephemeralSecret: Uint8Array, responderNonce: Uint8Array, initiatorNonce: Uint8Array) {
  const shared = keccak256(concatBytes(ephemeralSecret, keccak256(concatBytes(responderNonce, initiatorNonce))))
  const aes = keccak256(concatBytes(ephemeralSecret, shared))
  return { aes, mac: keccak256(concatBytes(ephemeralSecret, aes)) }
}

function macState(mac: Uint8Array, nonce: Uint8Array, packet: Uint8Array): RunningKeccak {
  const state = createRunningKeccak()
  state.update(xor(mac, nonce))
  state.update(packet)
  return state
}

function privateKey(random: Random): Uint8Array {
  for (;;) {
    const key = random(32)
    if (curve.isPrivateKey(key)) return key
  }
}

function xor(a: Uint8Array, b: Uint8Array): Uint8Array {
  return a.map((byte, i) => byte ^ b[i]!)
}
