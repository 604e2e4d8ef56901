import { latin1Of } from './textOfBytes.ts'

declare const brand: unique symbol
export type Brand<T, B extends string> = T & { readonly [brand]: B }

/** 20 bytes. */
export type Address = Brand<Uint8Array, 'Address'>
/** 32 bytes: a Keccak-256 digest, a trie root, a storage key. */
export type Hash32 = Brand<Uint8Array, 'Hash32'>

/** For the default case of a switch over a union: a member that no case handles becomes a compile error. */
export function never(x: never): never {
  throw new TypeError(`unhandled ${String(x)}`)
}

export const emptyBytes = new Uint8Array(0)

/** Checks the length and returns the same array with the branded type; nothing is copied. */
export function toAddress(bytes: Uint8Array): Address {
  if (bytes.length !== 20) throw new RangeError(`an address has 20 bytes, not ${bytes.length}`)
  return bytes as Address
}

/** Checks the length and returns the same array with the branded type; nothing is copied. */
export function toHash32(bytes: Uint8Array): Hash32 {
  if (bytes.length !== 32) throw new RangeError(`a hash has 32 bytes, not ${bytes.length}`)
  return bytes as Hash32
}

export const zeroAddress = new Uint8Array(20) as Address
export const zeroHash = new Uint8Array(32) as Hash32

export function equalBytes(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false
  return true
}

/** Whether a list has the same bytes among its members. */
export function includesBytes(list: readonly Uint8Array[], bytes: Uint8Array): boolean {
  return list.some((one) => equalBytes(one, bytes))
}

/** Unsigned lexicographic order, the order of LMDB keys and of trie paths. */
export function compareBytes(a: Uint8Array, b: Uint8Array): number {
  const n = Math.min(a.length, b.length)
  for (let i = 0; i < n; i++) {
    const d = a[i]! - b[i]!
    if (d !== 0) return d
  }
  return a.length - b.length
}

export function concatBytes(...parts: readonly Uint8Array[]): Uint8Array {
  let length = 0
  for (const p of parts) length += p.length
  const out = new Uint8Array(length)
  let at = 0
  for (const p of parts) {
    out.set(p, at)
    at += p.length
  }
  return out
}

/** Returns a view without the leading zeros. */
export function trimZeros(bytes: Uint8Array): Uint8Array {
  let i = 0
  while (i < bytes.length && bytes[i] === 0) i++
  return i === 0 ? bytes : bytes.subarray(i)
}

/** Pads with leading zeros to `length`; throws if the input is longer. */
export function padLeft(bytes: Uint8Array, length: number): Uint8Array {
  if (bytes.length === length) return bytes
  if (bytes.length > length) throw new RangeError(`${bytes.length} bytes do not fit into ${length}`)
  const out = new Uint8Array(length)
  out.set(bytes, length - bytes.length)
  return out
}

/** Returns the bytes as a string, one code unit per byte, for use as the key of a Map. */
export function keyOf(bytes: Uint8Array): string {
  return latin1Of(bytes)
}

/** Returns the bytes of a key made by `keyOf`. */
export function bytesOfKey(key: string): Uint8Array {
  return new Uint8Array(Buffer.from(key, 'latin1'))
}
