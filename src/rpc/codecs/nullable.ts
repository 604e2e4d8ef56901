import type { Encoder } from './codec.ts'

/** Encodes undefined as `null`. */
export function nullable<T>(inner: Encoder<T>): Encoder<T | undefined> {
  return {
    schema: { oneOf: [inner.schema, { type: 'null' }] },
    encode: (value) => (value === undefined ? 'null' : inner.encode(value)),
    stream: (value) => (value === undefined ? undefined : inner.stream?.(value)),
  }
}

/** Always `null`. */
export const nothing: Encoder<undefined> = { schema: { type: 'null' }, encode: () => 'null' }
