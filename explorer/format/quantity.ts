import type { Hex } from 'viem'

/** A number as JSON-RPC wants it. */
export const toQuantity = (value: number | bigint): Hex => `0x${value.toString(16)}`
