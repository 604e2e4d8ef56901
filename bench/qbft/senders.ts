import { bigIntToFixed } from '../../src/primitives/u256.ts'

/** Who sends the transactions of a load, in turns. */
export const senderKeys: readonly Uint8Array[] = Array.from({ length: 100 }, (_, i) =>
  bigIntToFixed(BigInt(1000 + i), 32),
)
