import { isJsonObject, type JsonObject } from '../../primitives/json.ts'
import { invalidParams } from '../protocol/fault.ts'
import type { Decoder } from './codec.ts'

/** Returns the JSON object; throws on any other value. */
export function decodeObject(json: unknown): JsonObject {
  if (!isJsonObject(json)) throw invalidParams()
  return json
}

/** A member that may be absent or null. */
export function optionalMember<T>(object: JsonObject, name: string, decoder: Decoder<T>): T | undefined {
  const json = Object.hasOwn(object, name) ? object[name] : undefined
  return json === undefined || json === null ? undefined : decoder.decode(json)
}
