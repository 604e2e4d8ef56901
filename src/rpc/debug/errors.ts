import type { ErrorDoc } from '../method.ts'

/** Of methods that show the bytes of a block. */
export const rawErrors: readonly ErrorDoc[] = [
  [-32000, 'There is no such block.'],
  [-39001, 'The network does not know a safe or finalized block.'],
]

/** Of methods that move the head. */
export const headErrors: readonly ErrorDoc[] = [[-39001, 'There is no such canonical block.']]
