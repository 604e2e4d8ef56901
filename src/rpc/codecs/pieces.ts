import type { Encoder, Schema } from './codec.ts'

/** Encodes JSON text that is produced in pieces, because it may be too large for memory. */
export function pieces(schema: Schema): Encoder<Iterable<string>> {
  return {
    schema,
    encode: (text) => [...text].join(''),
    stream: (text) => text,
  }
}

/** A JSON array whose items are produced in pieces. */
export function* arrayOfPieces(items: Iterable<Iterable<string>>): Generator<string> {
  let isFirst = true
  yield '['
  for (const item of items) {
    if (!isFirst) yield ','
    isFirst = false
    yield* item
  }
  yield ']'
}
