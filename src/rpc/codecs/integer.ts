import { invalidParams } from '../protocol/fault.ts'
import type { Codec, Decoder } from './codec.ts'

const pattern = /^([+-]?)(?:(?:0[xX]|#)([0-9a-fA-F]+)|([0-9]+))$/
const maxLong = (1n << 63n) - 1n

/**
 * Parses an integer: hexadecimal after `0x`, `0X` or `#`, else decimal, even with a leading zero (which Besu reads as
 * octal). Undefined if the text is invalid or exceeds 63 bits.
 */
export function parseInteger(text: string): bigint | undefined {
  const match = pattern.exec(text)
  if (!match) return undefined
  const magnitude = match[2] === undefined ? BigInt(match[3]!) : BigInt('0x' + match[2])
  if (magnitude > maxLong) return undefined
  return match[1] === '-' ? -magnitude : magnitude
}

/** Decodes a JSON integer or a string, including negative numbers. */
export function decodeInteger(json: unknown): bigint {
  const value =
    typeof json === 'string' ? parseInteger(json) : Number.isSafeInteger(json) ? BigInt(json as number) : undefined
  if (value === undefined) throw invalidParams()
  return value
}

/** Gas; a negative number means no limit, as in Besu. */
export const gasAmount: Decoder<bigint | undefined> = {
  schema: { title: 'gas', type: ['string', 'integer'] },
  decode(json) {
    const value = decodeInteger(json)
    return value < 0n ? undefined : value
  },
}

/** Position in a list. */
export const index: Decoder<number> = {
  schema: { title: 'index', type: ['string', 'integer'] },
  decode(json) {
    const value = decodeInteger(json)
    if (value < 0n || value > 0x7fffffffn) throw invalidParams()
    return Number(value)
  },
}

/** A JSON number or a decimal string; a fraction is cut off. Encoded as a JSON number. */
export const integer: Codec<number> = {
  schema: { type: 'integer' },
  decode(json) {
    const value = typeof json === 'string' && /^[+-]?[0-9]+$/.test(json) ? Number(json) : json
    if (typeof value !== 'number' || !Number.isSafeInteger(Math.trunc(value))) throw invalidParams()
    return Math.trunc(value)
  },
  encode: String,
}

/** A JSON number with a fraction. */
export const decimal: Codec<number> = {
  schema: { type: 'number' },
  decode(json) {
    const value = typeof json === 'string' && json.trim() !== '' ? Number(json) : json
    if (typeof value !== 'number' || !Number.isFinite(value)) throw invalidParams()
    return value
  },
  // Java always writes doubles with a fraction.
  encode: (value) => (Number.isInteger(value) ? value.toFixed(1) : String(value)),
}
