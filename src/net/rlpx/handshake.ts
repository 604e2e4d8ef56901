import { concatBytes, emptyBytes, type Hash32 } from '../../primitives/bytes.ts'
import { createRunningKeccak, keccak256, type RunningKeccak } from '../../primitives/keccak.ts'
import { decodeRlp, encodeRlp, type RlpItem, rlpBytes, rlpItemEnd, rlpList, scalar } from '../../primitives/rlp.ts'
import { curve } from '../../primitives/secp256k1.ts'
import { NetError } from '../fault.ts'
import { type Agreeing, eciesDecrypt, eciesEncrypt, eciesOverhead, ephemeralSecret, sharedWith } from './ecies.ts'

/** Returns random bytes. */
export type Random = (length: number) => Uint8Array

/** Secrets shared by both sides after the handshake. */
export interface Secrets {
  readonly remoteId: Uint8Array
  readonly aes: Uint8Array
  readonly mac: Uint8Array
  readonly egress: RunningKeccak
  readonly ingress: RunningKeccak
}

const version = 4
/** Maximum length of a handshake message; usual ones have about 500 bytes. */
const maxLength = 2048
const authLength = 65 + 32 + 64 + 32 + 1 + eciesOverhead
const ackLength = 64 + 32 + 1 + eciesOverhead

/** Result of a handshake. */
export interface Agreement {
  readonly secrets: Secrets
  /** How many of the given bytes belong to the handshake. */
  readonly used: number
  /** The response that the recipient must send. */
  readonly ack?: Uint8Array
}

/** A started handshake: what to send, and how to handle the response. */
export interface Initiation {
  readonly auth: Uint8Array
  /** Returns undefined while the response is incomplete. */
  finish(data: Uint8Array): Agreeing<Agreement | undefined>
}

/** Starts the handshake as initiator, in the format of EIP-8. */
export function* initiate(ownId: Uint8Array, remoteId: Uint8Array, random: Random): Agreeing<Initiation> {
  const ephemeral = privateKey(random)
  const nonce = random(32)
  const { rs, parity } = curve.sign(xor(yield* sharedWith(remoteId), nonce) as Hash32, ephemeral)
  const signature = concatBytes(rs, Uint8Array.of(parity))
  const auth = encryptMessage(remoteId, [signature, ownId, nonce, scalar(version)], random)
  return {
    auth,
    *finish(data) {
      const message = yield* openMessage(data, ackLength)
      if (!message) return undefined
      const { plain, packet, old } = message
      const items = old ? undefined : firstList(plain)
      const remoteEphemeral = items ? rlpBytes(items[0], 64) : plain.subarray(0, 64)
      const remoteNonce = items ? rlpBytes(items[1], 32) : plain.subarray(64, 96)
      const agreed = agree(ephemeralSecret(ephemeral, remoteEphemeral), remoteNonce, nonce)
      const egress = macState(agreed.mac, remoteNonce, auth)
      const ingress = macState(agreed.mac, nonce, packet)
      return { secrets: { remoteId, ...agreed, egress, ingress }, used: packet.length }
    },
  }
}

/** Answers a handshake as recipient; undefined while the initiator's message is incomplete. */
export function* respond(data: Uint8Array, random: Random): Agreeing<Agreement | undefined> {
  const message = yield* openMessage(data, authLength)
  if (!message) return undefined
  const { plain, packet, old } = message
  const items = old ? undefined : firstList(plain)
  const signature = items ? rlpBytes(items[0], 65) : plain.subarray(0, 65)
  const remoteId = (items ? rlpBytes(items[1], 64) : plain.subarray(97, 161)).slice()
  const remoteNonce = items ? rlpBytes(items[2], 32) : plain.subarray(161, 193)
  const digest = xor(yield* sharedWith(remoteId), remoteNonce) as Hash32
  const remoteEphemeral = curve.recover(digest, signature.subarray(0, 64), signature[64]!)
  if (!remoteEphemeral) throw new NetError({ code: 'BAD_HANDSHAKE', reason: 'signature' })

  const ephemeral = privateKey(random)
  const nonce = random(32)
  const own = curve.publicKey(ephemeral)
  const ack = old
    ? eciesEncrypt(remoteId, concatBytes(own, nonce, Uint8Array.of(0)), emptyBytes, privateKey(random), random(16))
    : encryptMessage(remoteId, [own, nonce, scalar(version)], random)
  const agreed = agree(ephemeralSecret(ephemeral, remoteEphemeral), nonce, remoteNonce)
  const egress = macState(agreed.mac, remoteNonce, ack)
  const ingress = macState(agreed.mac, nonce, packet)
  return { ack, secrets: { remoteId, ...agreed, egress, ingress }, used: packet.length }
}

interface Message {
  readonly plain: Uint8Array
  /** The received bytes, which go into the MAC states. */
  readonly packet: Uint8Array
  readonly old: boolean
}

/** Decrypts the message at the start of `data`, with a length prefix (EIP-8) or of the older fixed length. */
function* openMessage(data: Uint8Array, oldLength: number): Agreeing<Message | undefined> {
  if (data.length < 2) return undefined
  // The old format starts with 0x04, the prefix of a point; so do lengths from 1024 on, which then fail to decrypt.
  if (data[0] === 4) {
    if (data.length < oldLength) return undefined
    const packet = data.slice(0, oldLength)
    try {
      return { plain: yield* eciesDecrypt(packet), packet, old: true }
    } catch (error) {
      if (!(error instanceof NetError)) throw error
    }
  }
  const length = data[0]! * 256 + data[1]!
  if (length > maxLength || length < eciesOverhead) throw new NetError({ code: 'BAD_HANDSHAKE', reason: 'length' })
  if (data.length < 2 + length) return undefined
  const packet = data.slice(0, 2 + length)
  return { plain: yield* eciesDecrypt(packet.subarray(2), packet.subarray(0, 2)), packet, old: false }
}

/** Encrypts a message in the format of EIP-8, with random padding that hides its length. */
function encryptMessage(remoteId: Uint8Array, items: readonly RlpItem[], random: Random): Uint8Array {
  const padding = random(100 + (random(1)[0]! % 100))
  const plain = concatBytes(encodeRlp(items), padding)
  const length = plain.length + eciesOverhead
  const prefix = Uint8Array.of(length >> 8, length & 0xff)
  return concatBytes(prefix, eciesEncrypt(remoteId, plain, prefix, privateKey(random), random(16)))
}

/** Decodes the list before the padding; additional items are ignored (EIP-8). */
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
