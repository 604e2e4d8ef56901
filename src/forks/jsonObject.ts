import { type Address, toAddress } from '../primitives/bytes.ts'
import { fromHex } from '../primitives/hex.ts'
import { GenesisError } from './fault.ts'

/** An object of a genesis file. Besu reads every key without regard to case, so keys are lower case here. */
export type JsonObject = ReadonlyMap<string, unknown>

export function toJsonObject(value: unknown, at: string): JsonObject {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new GenesisError({ code: 'GENESIS_NOT_OBJECT', at })
  return new Map(Object.entries(value).map(([key, member]) => [key.toLowerCase(), member]))
}

/** Returns a member, undefined if it is absent or null. */
export function member(object: JsonObject, key: string): unknown {
  return object.get(key.toLowerCase()) ?? undefined
}

export function objectMember(object: JsonObject, key: string): JsonObject | undefined {
  const value = member(object, key)
  return value === undefined ? undefined : toJsonObject(value, key)
}

/** Reads a JSON number, a decimal string or a 0x string. */
export function parseNumber(value: unknown, key: string): bigint {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return BigInt(value)
  if (typeof value === 'string' && /^(0x[0-9a-f]*|[0-9]+)$/i.test(value)) return value === '0x' ? 0n : BigInt(value)
  throw new GenesisError({ code: 'GENESIS_NOT_A_NUMBER', key, have: String(value) })
}

export function numberMember(object: JsonObject, key: string): bigint | undefined {
  const value = member(object, key)
  return value === undefined ? undefined : parseNumber(value, key)
}

/** Reads a hex string; an odd number of digits gets a leading zero, as in Besu. */
export function parseBytes(value: unknown, key: string, length?: number): Uint8Array {
  const digits = typeof value === 'string' ? /^(?:0x)?([0-9a-f]*)$/i.exec(value)?.[1] : undefined
  if (digits === undefined) throw new GenesisError({ code: 'GENESIS_NOT_HEX', key, have: String(value) })
  const bytes = fromHex(digits.length % 2 ? `0${digits}` : digits)
  if (length !== undefined && bytes.length !== length)
    throw new GenesisError({ code: 'GENESIS_WRONG_LENGTH', key, want: length, have: bytes.length })
  return bytes
}

export function bytesMember(object: JsonObject, key: string, length?: number): Uint8Array | undefined {
  const value = member(object, key)
  return value === undefined ? undefined : parseBytes(value, key, length)
}

/** Reads an address; blank text is undefined, as in Besu. */
export function addressMember(object: JsonObject, key: string): Address | undefined {
  const value = member(object, key)
  if (typeof value === 'string' && value.trim() === '') return undefined
  const bytes = bytesMember(object, key, 20)
  return bytes && toAddress(bytes)
}

/** Reads a list; undefined if it is absent. */
export function listMember(object: JsonObject, key: string): readonly unknown[] | undefined {
  const value = member(object, key)
  if (value === undefined || Array.isArray(value)) return value
  throw new GenesisError({ code: 'GENESIS_INVALID_VALUE', key, have: String(value), want: 'a list' })
}

/** Reads a number that must be a safe integer and at least `min`. */
export function integerMember(object: JsonObject, key: string, fallback: number, min = 0): number {
  const value = numberMember(object, key)
  if (value === undefined) return fallback
  if (value < BigInt(min) || value > BigInt(Number.MAX_SAFE_INTEGER))
    throw new GenesisError({ code: 'GENESIS_INVALID_VALUE', key, have: String(value), want: `at least ${min}` })
  return Number(value)
}

export function booleanMember(object: JsonObject, key: string, fallback: boolean): boolean {
  const value = member(object, key)
  if (value === undefined) return fallback
  if (value === true || value === 'true') return true
  if (value === false || value === 'false') return false
  throw new GenesisError({ code: 'GENESIS_INVALID_VALUE', key, have: String(value), want: 'true or false' })
}
