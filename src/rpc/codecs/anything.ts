import type { Decoder } from './codec.ts'

/** Any JSON value, as it is. */
export const anything: Decoder<unknown> = { schema: {}, decode: (json) => json }
