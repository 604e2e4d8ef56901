import { type Address, type Hash32, padLeft } from '../../primitives/bytes.ts'
import { fromHex } from '../../primitives/hex.ts'

/** Upstream numbers: hex with or without a prefix for size mistakes, decimal, or JSON numbers. */
export function toNumber(value: string | number): bigint {
  if (typeof value === 'number') return BigInt(value)
  const text = value.startsWith('0x:bigint ') ? value.slice('0x:bigint '.length) : value
  return text === '0x' || text === '' ? 0n : BigInt(text)
}

/** Bytes of hex text; upstream sometimes leaves out a leading zero digit. */
export function toBytes(text: string): Uint8Array {
  const digits = text.startsWith('0x') ? text.slice(2) : text
  return fromHex(digits.length % 2 ? `0${digits}` : digits)
}

/** A 32-byte word of hex text of any length up to that. */
export function toWordBytes(text: string): Hash32 {
  return padLeft(toBytes(text), 32) as Hash32
}

/** An address of hex text, which upstream leaves empty for "none". */
export function toOptionalAddress(text: string): Address | undefined {
  const bytes = toBytes(text)
  return bytes.length === 0 ? undefined : (padLeft(bytes, 20) as Address)
}
