import { invalidParams } from '../protocol/fault.ts'
import type { Codec, Encoder, Schema } from './codec.ts'

/** Any text; numbers and booleans are taken by their spelling, as in Besu. */
export const text: Codec<string> = {
  schema: { type: 'string' },
  decode(json) {
    if (typeof json === 'string') return json
    if (typeof json === 'number' || typeof json === 'boolean') return String(json)
    throw invalidParams()
  },
  encode: JSON.stringify,
}

/** A value that is written as any JSON value of that schema. */
export function json<T>(schema: Schema): Encoder<T> {
  return { schema, encode: JSON.stringify }
}
