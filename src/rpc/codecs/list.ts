import { invalidParams } from '../protocol/fault.ts'
import type { Codec, Decoder, Encoder } from './codec.ts'

/** Number of items from which on a list is encoded in pieces. */
const streamFrom = 2000
const pieceLength = 1 << 16

/** An array of items. */
export function list<T>(item: Codec<T>): Codec<readonly T[]> {
  return { ...listDecoder(item), ...listEncoder(item) }
}

/** Decodes an array, of at most `max` items if there is a limit; `what` names them in the error. */
export function listDecoder<T>(
  item: Decoder<T>,
  limit?: { readonly max: number; readonly what: string },
): Decoder<readonly T[]> {
  return {
    schema: { type: 'array', items: item.schema, ...(limit && { maxItems: limit.max }) },
    decode(json) {
      if (!Array.isArray(json)) throw invalidParams()
      if (limit && json.length > limit.max) throw invalidParams(`more than ${limit.max} ${limit.what}`)
      return json.map((one) => item.decode(one))
    },
  }
}

/** Encodes an array, a long one in pieces. */
export function listEncoder<T>(item: Encoder<T>): Encoder<readonly T[]> {
  return {
    schema: { type: 'array', items: item.schema },
    encode(values) {
      let text = '['
      for (let i = 0; i < values.length; i++) text += (i ? ',' : '') + item.encode(values[i]!)
      return text + ']'
    },
    stream: (values) => (values.length < streamFrom ? undefined : pieces(item, values)),
  }
}

function* pieces<T>(item: Encoder<T>, values: readonly T[]): Generator<string> {
  let piece = '['
  for (let i = 0; i < values.length; i++) {
    piece += (i ? ',' : '') + item.encode(values[i]!)
    if (piece.length < pieceLength) continue
    yield piece
    piece = ''
  }
  yield piece + ']'
}
