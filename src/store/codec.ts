import type { Hash32 } from '../primitives/bytes.ts'

/** How a key or a value lies in a table. The bytes given to `decode` are valid only during the call. */
export interface Codec<T> {
  encode(value: T): Uint8Array
  decode(bytes: Uint8Array): T
}

export const bytesCodec: Codec<Uint8Array> = {
  encode: (bytes) => bytes,
  decode: (bytes) => bytes.slice(),
}

export const hashCodec: Codec<Hash32> = {
  encode: (hash) => hash,
  decode: (bytes) => bytes.slice() as Uint8Array as Hash32,
}

const encoder = new TextEncoder()
const decoder = new TextDecoder()

export const textCodec: Codec<string> = {
  encode: (text) => encoder.encode(text),
  decode: (bytes) => decoder.decode(bytes),
}

/** Bytes that a block number takes in keys. */
export const blockNumberLength = 6

/** Writes a block number so that byte order is number order. */
export function writeBlockNumber(out: Uint8Array, at: number, block: number): void {
  const high = Math.floor(block / 0x1000000)
  const low = block - high * 0x1000000
  out[at] = high >>> 16
  out[at + 1] = high >>> 8
  out[at + 2] = high
  out[at + 3] = low >>> 16
  out[at + 4] = low >>> 8
  out[at + 5] = low
}

/** Undoes `writeBlockNumber`. */
export function readBlockNumber(bytes: Uint8Array, at: number): number {
  const high = (bytes[at]! << 16) | (bytes[at + 1]! << 8) | bytes[at + 2]!
  const low = (bytes[at + 3]! << 16) | (bytes[at + 4]! << 8) | bytes[at + 5]!
  return high * 0x1000000 + low
}

export const blockNumberCodec: Codec<number> = {
  encode(block) {
    const out = new Uint8Array(blockNumberLength)
    writeBlockNumber(out, 0, block)
    return out
  },
  decode: (bytes) => readBlockNumber(bytes, 0),
}
