import { type Address, toAddress } from '../primitives/bytes.ts'
import { fromHex } from '../primitives/hex.ts'
import { isJsonObject, type JsonObject } from '../primitives/json.ts'
import { maxU256 } from '../primitives/u256.ts'
import { invalidParams } from './fault.ts'

// Stricter than the node's own codecs: a number or address that was misread would be signed.

/** Returns a JSON object; throws on any other value. `name` is for messages. */
export function readObject(json: unknown, name: string): JsonObject {
  if (!isJsonObject(json)) throw invalidParams(`${name} is not an object`)
  return json
}

/** Returns a JSON array; throws on any other value. */
export function readList(json: unknown, name: string): readonly unknown[] {
  if (!Array.isArray(json)) throw invalidParams(`${name} is not a list`)
  return json
}

/** Reads bytes in hexadecimal with `0x`. */
export function readBytes(json: unknown, name: string): Uint8Array {
  if (typeof json !== 'string' || !/^0x(?:[0-9a-fA-F]{2})*$/.test(json))
    throw invalidParams(`${name} is not hexadecimal with 0x`)
  return fromHex(json)
}

/** Reads exactly 20 bytes; a checksum in the case of the letters is not verified. */
export function readAddress(json: unknown, name: string): Address {
  const bytes = readBytes(json, name)
  if (bytes.length !== 20) throw invalidParams(`${name} does not have 20 bytes`)
  return toAddress(bytes)
}

/** Reads a number of up to 256 bits: hexadecimal with `0x`, or a JSON integer. */
export function readQuantity(json: unknown, name: string): bigint {
  if (typeof json === 'string' && /^0x[0-9a-fA-F]+$/.test(json)) {
    const value = BigInt(json)
    if (value <= maxU256) return value
  } else if (Number.isSafeInteger(json) && (json as number) >= 0) return BigInt(json as number)
  throw invalidParams(`${name} is not a quantity: hexadecimal with 0x, at most 256 bits`)
}

/** Reads a member that may be absent or null. */
export function readOptional<T>(
  object: JsonObject,
  name: string,
  read: (json: unknown, name: string) => T,
): T | undefined {
  const json = Object.hasOwn(object, name) ? object[name] : undefined
  return json === undefined || json === null ? undefined : read(json, name)
}

/** A number as JSON-RPC writes it. */
export function quantityText(value: bigint): string {
  return `0x${value.toString(16)}`
}
