import { type Address, type Hash32, padLeft } from '../../primitives/bytes.ts'
import { invalidParams } from '../protocol/fault.ts'
import type { Codec, Decoder } from './codec.ts'

const digitsPattern = /^(?:0x)?([0-9a-fA-F]*)$/

function digitsOf(json: unknown): string {
  const digits = typeof json === 'string' ? digitsPattern.exec(json)?.[1] : undefined
  if (digits === undefined) throw invalidParams()
  return digits
}

/** Decodes at most `limit` bytes; an odd number of digits is accepted, as in Besu where it pads on the left. */
export function decodeHex(json: unknown, limit: number): Uint8Array {
  const digits = digitsOf(json)
  if (digits.length > 2 * limit) throw invalidParams()
  return new Uint8Array(Buffer.from(digits.length % 2 ? '0' + digits : digits, 'hex'))
}

/** Node.js' hex encoder, used on plain arrays because wrapping them in a Buffer would cost more. */
const { hexSlice } = Buffer.prototype as unknown as { hexSlice(this: Uint8Array, start: number, end: number): string }

/** JSON string of bytes. */
export function hexText(bytes: Uint8Array): string {
  return `"0x${hexSlice.call(bytes, 0, bytes.length)}"`
}

/** Bytes of any length. */
export const data: Codec<Uint8Array> = {
  schema: { title: 'bytes', type: 'string', pattern: '^0x([0-9a-f]{2})*$' },
  decode(json) {
    const digits = digitsOf(json)
    if (digits.length % 2) throw invalidParams()
    return new Uint8Array(Buffer.from(digits, 'hex'))
  },
  encode: hexText,
}

/** An address; shorter ones are padded on the left, as in Besu. */
export const address: Codec<Address> = {
  schema: { title: 'address', type: 'string', pattern: '^0x[0-9a-f]{40}$' },
  decode: (json) => padLeft(decodeHex(json, 20), 20) as Address,
  encode: hexText,
}

/** Exactly 32 bytes. */
export const hash: Codec<Hash32> = {
  schema: { title: '32 bytes', type: 'string', pattern: '^0x[0-9a-f]{64}$' },
  decode(json) {
    const digits = digitsOf(json)
    if (digits.length !== 64) throw invalidParams()
    return new Uint8Array(Buffer.from(digits, 'hex')) as Hash32
  },
  encode: hexText,
}

/** A storage slot: up to 32 bytes, padded on the left. */
export const slotKey: Decoder<Hash32> = {
  schema: { title: 'storage slot', type: 'string' },
  decode: (json) => padLeft(decodeHex(json, 32), 32) as Hash32,
}
