import { type Address, type Hash32, padLeft } from '../primitives/bytes.ts'
import { fromHex } from '../primitives/hex.ts'

/** Parses numbers in tests: decimal, JSON numbers, or hex, optionally prefixed with `0x:bigint`. */
export function toNumber(value: string | number): bigint {
  if (typeof value === 'number') return BigInt(value)
  const text = value.startsWith('0x:bigint ') ? value.slice('0x:bigint '.length) : value
  return text === '0x' || text === '' ? 0n : BigInt(text)
}

/** Parses hex; tests sometimes omit a leading zero digit. */
export function toBytes(text: string): Uint8Array {
  const digits = text.startsWith('0x') ? text.slice(2) : text
  return fromHex(digits.length % 2 ? `0${digits}` : digits)
}

/** Parses hex of up to 32 bytes, padded on the left. */
export function toWordBytes(text: string): Hash32 {
  return padLeft(toBytes(text), 32) as Hash32
}

/** Parses an address; undefined if the text is empty. */
export function toOptionalAddress(text: string): Address | undefined {
  const bytes = toBytes(text)
  return bytes.length === 0 ? undefined : (padLeft(bytes, 20) as Address)
}
