import { invalidParams } from '../protocol/fault.ts'
import type { Decoder } from './codec.ts'

export type JsonObject = Readonly<Record<string, unknown>>

/** Returns the JSON object; throws on any other value. */
export function decodeObject(json: unknown): JsonObject {
  if (typeof json !== 'object' || json === null || Array.isArray(json)) throw invalidParams()
  return json as JsonObject
}

/** A member that may be absent or null. */
export function optionalMember<T>(object: JsonObject, name: string, decoder: Decoder<T>): T | undefined {
  const json = Object.hasOwn(object, name) ? object[name] : undefined
  return json === undefined || json === null ? undefined : decoder.decode(json)
}
