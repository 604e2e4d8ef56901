/** A JSON Schema, for the OpenRPC document and docs/rpc.md. */
export type Schema = Readonly<Record<string, unknown>>

/** Decodes a parameter; throws an RpcError INVALID_PARAMS if it is invalid. */
export interface Decoder<out T> {
  readonly schema: Schema
  decode(json: unknown): T
}

/** Encodes a result directly as JSON text. */
export interface Encoder<in T> {
  readonly schema: Schema
  encode(value: T): string
  /** The text in pieces, for values too large for one string; undefined if `encode` suffices. */
  stream?(value: T): Iterable<string> | undefined
}

/** Decodes and encodes a value. */
export interface Codec<T> extends Decoder<T>, Encoder<T> {}
