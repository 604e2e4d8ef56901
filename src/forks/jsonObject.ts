import { type Address, toAddress } from '../primitives/bytes.ts'
import { fromHex } from '../primitives/hex.ts'
import { isJsonObject } from '../primitives/json.ts'
import { GenesisError } from './fault.ts'

/** An object of a genesis file. Besu reads every key without regard to case, so keys are lower case here. */
export type GenesisObject = ReadonlyMap<string, unknown>

export function toJsonObject(value: unknown, at: string): GenesisObject {
  if (!isJsonObject(value)) throw new GenesisError({ code: 'GENESIS_NOT_OBJECT', at })
  return new Map(Object.entries(value).map(([key, member]) => [key.toLowerCase(), member]))
}

/** Returns a member, undefined if it is absent or null. */
export function member(object: GenesisObject, key: string): unknown {
  return object.get(key.toLowerCase()) ?? undefined
}

export function objectMember(object: GenesisObject, key: string): GenesisObject | undefined {
  const value = member(object, key)
  return value === undefined ? undefined : toJsonObject(value, key)
}

/** A value of the file as a message shows it. */
function shown(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** Digits that JavaScript has not rounded: a text's, or those of a number of at most 53 bits. */
function digitsOf(value: unknown): string | undefined {
  if (typeof value === 'number') return Number.isSafeInteger(value) && value >= 0 ? String(value) : undefined
  return typeof value === 'string' ? value : undefined
}

function toNumber(value: unknown, key: string, bits: number, form: RegExp, prefix: string): bigint {
  const digits = digitsOf(value)
  if (digits === undefined || !form.test(digits)) {
    if (typeof value === 'number' && value > Number.MAX_SAFE_INTEGER)
      throw new GenesisError({
        code: 'GENESIS_INVALID_VALUE',
        key,
        have: shown(value),
        want: 'written in quotes (it is above 2^53)',
      })
    throw new GenesisError({ code: 'GENESIS_NOT_A_NUMBER', key, have: shown(value) })
  }
  const number = /^0x$/i.test(digits) ? 0n : BigInt(/^0x/i.test(digits) ? digits.toLowerCase() : prefix + digits)
  if (number >> BigInt(bits) !== 0n)
    throw new GenesisError({ code: 'GENESIS_INVALID_VALUE', key, have: shown(value), want: `below 2^${bits}` })
  return number
}

/** Reads a JSON number, a decimal string or a 0x string. */
export function parseNumber(value: unknown, key: string, bits = 256): bigint {
  return toNumber(value, key, bits, /^(0x[0-9a-f]*|[0-9]+)$/i, '')
}

/** Reads a number that Besu takes for hexadecimal with and without 0x, also where it is a JSON number. */
export function parseHexNumber(value: unknown, key: string, bits: number): bigint {
  return toNumber(value, key, bits, /^(0x[0-9a-f]*|[0-9a-f]+)$/i, '0x')
}

export function numberMember(object: GenesisObject, key: string, bits?: number): bigint | undefined {
  const value = member(object, key)
  return value === undefined ? undefined : parseNumber(value, key, bits)
}

export function hexNumberMember(object: GenesisObject, key: string, bits: number): bigint | undefined {
  const value = member(object, key)
  return value === undefined ? undefined : parseHexNumber(value, key, bits)
}

/** Reads a number that Besu keeps in 63 bits. */
export function longMember(object: GenesisObject, key: string): bigint | undefined {
  const value = member(object, key)
  // Besu reads 010 as 8.
  if (typeof value === 'string' && /^0\d/.test(value))
    throw new GenesisError({ code: 'GENESIS_INVALID_VALUE', key, have: value, want: 'written without leading zeros' })
  return numberMember(object, key, 63)
}

/** Reads the bytes of a hex string, whose digits are even in number. */
export function parseBytes(value: unknown, key: string, length?: number): Uint8Array {
  const digits = hexDigits(value, key)
  if (digits.length % 2 !== 0)
    throw new GenesisError({
      code: 'GENESIS_INVALID_VALUE',
      key,
      have: shown(value),
      want: 'whole bytes (two digits each)',
    })
  const bytes = fromHex(digits)
  if (length !== undefined && bytes.length !== length)
    throw new GenesisError({ code: 'GENESIS_WRONG_LENGTH', key, want: length, have: bytes.length })
  return bytes
}

/** Reads a hex string of up to `length` bytes; a shorter one gets leading zeros, as in Besu. */
export function parseFixed(value: unknown, key: string, length: number): Uint8Array {
  const digits = hexDigits(value, key)
  if (digits.length > 2 * length)
    throw new GenesisError({
      code: 'GENESIS_INVALID_VALUE',
      key,
      have: shown(value),
      want: `at most ${length} bytes long`,
    })
  return fromHex(digits.padStart(2 * length, '0'))
}

function hexDigits(value: unknown, key: string): string {
  const digits = typeof value === 'string' ? /^(?:0x)?([0-9a-f]*)$/i.exec(value)?.[1] : undefined
  if (digits === undefined) throw new GenesisError({ code: 'GENESIS_NOT_HEX', key, have: shown(value) })
  return digits
}

export function bytesMember(object: GenesisObject, key: string, length?: number): Uint8Array | undefined {
  const value = member(object, key)
  return value === undefined ? undefined : parseBytes(value, key, length)
}

export function fixedMember(object: GenesisObject, key: string, length: number): Uint8Array | undefined {
  const value = member(object, key)
  return value === undefined ? undefined : parseFixed(value, key, length)
}

/** Reads an address; blank text is undefined, as in Besu. */
export function addressMember(object: GenesisObject, key: string): Address | undefined {
  const value = member(object, key)
  if (typeof value === 'string' && value.trim() === '') return undefined
  const bytes = bytesMember(object, key, 20)
  return bytes && toAddress(bytes)
}

/** Reads a list; undefined if it is absent. */
export function listMember(object: GenesisObject, key: string): readonly unknown[] | undefined {
  const value = member(object, key)
  if (value === undefined || Array.isArray(value)) return value
  throw new GenesisError({ code: 'GENESIS_INVALID_VALUE', key, have: shown(value), want: 'a list' })
}

/** Reads an integer of at least `min` and at most `max`. */
export function integerMember(
  object: GenesisObject,
  key: string,
  fallback: number,
  min = 0,
  max = Number.MAX_SAFE_INTEGER,
): number {
  const value = numberMember(object, key)
  if (value === undefined) return fallback
  const want = value < BigInt(min) ? `at least ${min}` : value > BigInt(max) ? `at most ${max}` : undefined
  if (want !== undefined) throw new GenesisError({ code: 'GENESIS_INVALID_VALUE', key, have: String(value), want })
  return Number(value)
}

export function booleanMember(object: GenesisObject, key: string, fallback: boolean): boolean {
  const value = member(object, key)
  if (value === undefined) return fallback
  if (value === true || value === 'true') return true
  if (value === false || value === 'false') return false
  throw new GenesisError({ code: 'GENESIS_INVALID_VALUE', key, have: shown(value), want: 'true or false' })
}
