import { type Address, type Hash32, toAddress, toHash32 } from '../../src/primitives/bytes.ts'
import { bigIntToFixed, bytesToBigInt } from '../../src/primitives/u256.ts'

/** The number modulo 2^256. */
export function wrap(n: bigint): bigint {
  return BigInt.asUintN(256, n)
}

/** The word read as two's complement. */
export function signed(word: bigint): bigint {
  return BigInt.asIntN(256, word)
}

/** Words of 32 bytes that it takes to hold so many bytes. */
export function wordsIn(bytes: bigint): bigint {
  return (bytes + 31n) / 32n
}

/** The address in the low 20 bytes of a word, as a number. */
export function addressIn(word: bigint): bigint {
  return BigInt.asUintN(160, word)
}

export function addressBytes(address: bigint): Address {
  return toAddress(bigIntToFixed(address, 20))
}

export function addressNumber(address: Address): bigint {
  return bytesToBigInt(address)
}

export function wordBytes(word: bigint): Hash32 {
  return toHash32(bigIntToFixed(word, 32))
}

/** `size` bytes of `source` from `offset` on; what lies behind its end reads as zeros. */
export function sliceOf(source: Uint8Array, offset: bigint, size: bigint): Uint8Array {
  const out = new Uint8Array(Number(size))
  if (offset < BigInt(source.length)) {
    const start = Number(offset)
    out.set(source.subarray(start, start + out.length))
  }
  return out
}
