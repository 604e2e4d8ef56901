import type { ErrorDoc } from '../method.ts'

/** Of methods that take a block number, tag or hash. */
export const blockErrors: readonly ErrorDoc[] = [
  [-32000, 'There is no such block, or it is not canonical though that was required.'],
  [-39001, 'The network does not know a safe or finalized block.'],
]

/** Of methods that take a block number or tag. */
export const tagErrors: readonly ErrorDoc[] = [[-39001, 'The network does not know a safe or finalized block.']]

/** Of methods that try a transaction out. */
export const callErrors: readonly ErrorDoc[] = [
  ...blockErrors,
  [-32000, 'The call reverted, with its data and reason, or ended exceptionally.'],
  [-32003, 'The gas is less than the call costs before it runs.'],
  [-32004, 'The balance of the sender is too small.'],
  [-32009, 'The price is below the base fee of the block.'],
]
