import { invalidParams } from '../protocol/fault.ts'
import type { Codec, Encoder, Schema } from './codec.ts'

/** A string; numbers and booleans are converted, as in Besu. */
export const text: Codec<string> = {
  schema: { type: 'string' },
  decode(json) {
    if (typeof json === 'string') return json
    if (typeof json === 'number' || typeof json === 'boolean') return String(json)
    throw invalidParams()
  },
  encode: JSON.stringify,
}

/** Encodes a value with JSON.stringify. */
export function json<T>(schema: Schema): Encoder<T> {
  return { schema, encode: JSON.stringify }
}
