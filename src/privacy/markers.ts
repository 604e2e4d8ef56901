import { type Address, equalBytes } from '../primitives/bytes.ts'
import { hexToAddress } from '../primitives/hex.ts'
import type { Tx } from '../types/transaction.ts'

/** The address that markers of private transactions go to. Nothing is there: a marker costs its data, on every node. */
export const privacyPrecompile: Address = hexToAddress('0x000000000000000000000000000000000000007e')

const keyLength = 32

/** The key of the payload that a public transaction marks; undefined if it is not a marker. */
export function markedKey({ to, data }: Tx): Uint8Array | undefined {
  return to && equalBytes(to, privacyPrecompile) && data.length === keyLength ? data : undefined
}
