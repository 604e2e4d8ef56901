import type { Encoder, Schema } from './codec.ts'

/** JSON text that is made in pieces, of a value too large to be held at once. */
export function pieces(schema: Schema): Encoder<Iterable<string>> {
  return {
    schema,
    encode: (text) => [...text].join(''),
    stream: (text) => text,
  }
}

/** A JSON array of texts, each of them in pieces. */
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
