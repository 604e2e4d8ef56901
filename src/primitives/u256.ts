import { padLeft } from './bytes.ts'

export const maxU256 = (1n << 256n) - 1n
export const maxU64 = (1n << 64n) - 1n

/** Big-endian bytes as an unsigned number; no bytes are zero. */
export function bytesToBigInt(bytes: Uint8Array): bigint {
  if (bytes.length === 0) return 0n
  if (bytes.length <= 6) {
    let n = 0
    for (const b of bytes) n = n * 256 + b
    return BigInt(n)
  }
  return BigInt('0x' + Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex'))
}

/** Shortest big-endian bytes: zero has none. */
export function bigIntToBytes(n: bigint): Uint8Array {
  if (n < 0n) throw new RangeError('a negative number has no unsigned bytes')
  if (n === 0n) return new Uint8Array(0)
  const digits = n.toString(16)
  return new Uint8Array(Buffer.from(digits.length % 2 ? '0' + digits : digits, 'hex'))
}

/** Big-endian bytes of a fixed length. */
export function bigIntToFixed(n: bigint, length: number): Uint8Array {
  return padLeft(bigIntToBytes(n), length)
}

/** A 32-byte big-endian word. */
export function toWord(n: bigint): Uint8Array {
  return bigIntToFixed(n, 32)
}
