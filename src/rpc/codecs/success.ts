import type { Encoder } from './codec.ts'

/** The answer of methods that only do something. */
export const success: Encoder<void> = { schema: { type: 'string', const: 'Success' }, encode: () => '"Success"' }
