import { createCipheriv, createDecipheriv, timingSafeEqual } from 'node:crypto'
import type { RunningKeccak } from '../../primitives/keccak.ts'
import { NetError } from '../fault.ts'
import type { Secrets } from './handshake.ts'

/** A message in a frame, still compressed. */
export interface Frame {
  readonly code: number
  readonly payload: Uint8Array
}

export interface FrameCodec {
  /** Encodes a message; frames must be sent in the order of calls. */
  encode(code: number, payload: Uint8Array): Uint8Array
  /** Adds received bytes. */
  push(chunk: Uint8Array): void
  /** Returns the next complete message; throws if its authentication code is wrong or it is too long. */
  next(): Frame | undefined
  /** Sets the maximum frame size. */
  setLimit(bytes: number): void
}

const zeroIv = new Uint8Array(16)
const maxFrame = 0xffffff
const headerLength = 32
const macLength = 16

/** Encrypts and authenticates the frames of a connection. */
export function createFrameCodec(secrets: Secrets, limit: number): FrameCodec {
  const encrypt = createCipheriv('aes-256-ctr', secrets.aes, zeroIv)
  const decrypt = createDecipheriv('aes-256-ctr', secrets.aes, zeroIv)
  const egress = createMac(secrets.mac, secrets.egress)
  const ingress = createMac(secrets.mac, secrets.ingress)
  const bytes = createChunks()
  /** Length of the body, once its header was read. */
  let awaited: number | undefined

  function readHeader(): number | undefined {
    const header = bytes.take(headerLength)
    if (!header) return undefined
    const cipher = header.subarray(0, 16)
    check(ingress.ofHeader(cipher), header.subarray(16))
    const plain = decrypt.update(cipher)
    const length = plain[0]! * 0x10000 + plain[1]! * 0x100 + plain[2]!
    if (length === 0) throw new NetError({ code: 'BAD_FRAME', reason: 'empty' })
    if (length > limit) throw new NetError({ code: 'BAD_FRAME', reason: `${length} bytes` })
    return length
  }

  return {
    encode(code, payload) {
      const length = 1 + payload.length
      if (length > maxFrame) throw new RangeError(`a message of ${payload.length} bytes does not fit into a frame`)
      const padded = (length + 15) & ~15
      const out = Buffer.allocUnsafe(headerLength + padded + macLength)
      const header = Buffer.alloc(16)
      header.writeUIntBE(length, 0, 3)
      header.set([0xc2, 0x80, 0x80], 3)
      const headerCipher = encrypt.update(header)
      out.set(headerCipher, 0)
      out.set(egress.ofHeader(headerCipher), 16)
      const body = out.subarray(headerLength, headerLength + padded)
      body[0] = code === 0 ? 0x80 : code
      body.set(payload, 1)
      body.fill(0, length)
      const bodyCipher = encrypt.update(body)
      body.set(bodyCipher)
      out.set(egress.ofBody(bodyCipher), headerLength + padded)
      return out
    },
    push: bytes.push,
    next() {
      awaited ??= readHeader()
      if (awaited === undefined) return undefined
      const padded = (awaited + 15) & ~15
      const data = bytes.take(padded + macLength)
      if (!data) return undefined
      const cipher = data.subarray(0, padded)
      check(ingress.ofBody(cipher), data.subarray(padded))
      const plain = decrypt.update(cipher).subarray(0, awaited)
      awaited = undefined
      const first = plain[0]!
      if (first > 0x80) throw new NetError({ code: 'BAD_FRAME', reason: 'invalid message code' })
      return { code: first & 0x7f, payload: plain.subarray(1) }
    },
    setLimit(bytes_) {
      limit = bytes_
    },
  }
}

function check(want: Uint8Array, have: Uint8Array): void {
  if (!timingSafeEqual(want, have)) throw new NetError({ code: 'BAD_FRAME', reason: 'wrong authentication code' })
}

/** The running MAC of one direction, over everything since the handshake. */
function createMac(key: Uint8Array, state: RunningKeccak) {
  const cipher = createCipheriv('aes-256-ecb', key, null).setAutoPadding(false)
  const start = () => state.digest().subarray(0, 16)

  function mix(encrypted: Uint8Array, block: Uint8Array): Uint8Array {
    const seed = cipher.update(encrypted)
    for (let i = 0; i < 16; i++) seed[i]! ^= block[i]!
    state.update(seed)
    return start()
  }

  return {
    ofHeader: (header: Uint8Array) => mix(start(), header),
    ofBody(body: Uint8Array) {
      state.update(body)
      const digest = start()
      return mix(digest, digest)
    },
  }
}

/** Buffers received chunks and returns them in pieces of any length. */
function createChunks() {
  let chunks: Uint8Array[] = []
  let size = 0
  return {
    push(chunk: Uint8Array): void {
      chunks.push(chunk)
      size += chunk.length
    },
    take(length: number): Uint8Array | undefined {
      if (size < length) return undefined
      const first = chunks[0]!
      const all = first.length >= length ? first : Buffer.concat(chunks, size)
      const rest = all.subarray(length)
      if (all === first) chunks.shift()
      else chunks = []
      if (rest.length) chunks.unshift(rest)
      size -= length
      return all.subarray(0, length)
    },
  }
}
