import type { Encoder } from './codec.ts'

/** The result of methods without a value. */
export const success: Encoder<void> = { schema: { type: 'string', const: 'Success' }, encode: () => '"Success"' }
