import { padLeft } from './bytes.ts'
import { hexDigitsOf } from './textOfBytes.ts'

export const maxU256 = (1n << 256n) - 1n
export const maxU64 = (1n << 64n) - 1n

// A scratch word to convert through: several times as fast as hexadecimal digits.
const word = new Uint8Array(32)
const limbs = new DataView(word.buffer)
const small = 1n << 48n

/** Returns big-endian bytes as an unsigned number; an empty array is 0. */
export function bytesToBigInt(bytes: Uint8Array): bigint {
  if (bytes.length === 0) return 0n
  if (bytes.length <= 6) {
    let n = 0
    for (const b of bytes) n = n * 256 + b
    return BigInt(n)
  }
  if (bytes.length > 32) return BigInt('0x' + hexDigitsOf(bytes))
  word.fill(0, 0, 32 - bytes.length)
  word.set(bytes, 32 - bytes.length)
  const low = (limbs.getBigUint64(16) << 64n) | limbs.getBigUint64(24)
  if (bytes.length <= 16) return low
  return (((limbs.getBigUint64(0) << 64n) | limbs.getBigUint64(8)) << 128n) | low
}

/** Returns a safe integer as big-endian bytes without leading zeros; 0 is an empty array. */
export function numberToBytes(n: number): Uint8Array {
  const high = Math.floor(n / 0x100000000)
  const low = n >>> 0
  const length = high > 0 ? 4 + byteLength(high) : byteLength(low)
  const bytes = new Uint8Array(length)
  for (let i = 0; i < length; i++) bytes[length - 1 - i] = i < 4 ? low >>> (8 * i) : high >>> (8 * (i - 4))
  return bytes
}

/** Bytes that a number of at most 32 bits takes; 0 takes none. */
export function byteLength(n: number): number {
  return (39 - Math.clz32(n)) >>> 3
}

/** Returns a number as big-endian bytes without leading zeros; 0 is an empty array. */
export function bigIntToBytes(n: bigint): Uint8Array {
  if (n < 0n) throw new RangeError('a negative number has no unsigned bytes')
  if (n < small) return numberToBytes(Number(n))
  if (n > maxU256) {
    const digits = n.toString(16)
    return new Uint8Array(Buffer.from(digits.length % 2 ? '0' + digits : digits, 'hex'))
  }
  for (let at = 24; at >= 0; at -= 8) {
    limbs.setBigUint64(at, BigInt.asUintN(64, n))
    n >>= 64n
  }
  let first = 0
  while (word[first] === 0) first++
  return word.slice(first)
}

/** Returns a number as big-endian bytes of a fixed length. */
export function bigIntToFixed(n: bigint, length: number): Uint8Array {
  return padLeft(bigIntToBytes(n), length)
}

/** Returns a number as a 32-byte big-endian word. */
export function toWord(n: bigint): Uint8Array {
  return bigIntToFixed(n, 32)
}
