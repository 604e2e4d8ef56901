/** A JSON Schema, as far as the OpenRPC document and the docs page need one. */
export type Schema = Readonly<Record<string, unknown>>

/** Reads a parameter: anything that it does not take is an `RpcError` INVALID_PARAMS. */
export interface Decoder<out T> {
  readonly schema: Schema
  decode(json: unknown): T
}

/** Writes a result as JSON text: no tree of JSON values is built on the way. */
export interface Encoder<in T> {
  readonly schema: Schema
  encode(value: T): string
  /** Pieces of the text of a value too large for one string; undefined when `encode` will do. */
  stream?(value: T): Iterable<string> | undefined
}

/** A value that goes both ways. */
export interface Codec<T> extends Decoder<T>, Encoder<T> {}
