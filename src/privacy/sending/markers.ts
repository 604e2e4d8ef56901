import { type Address, equalBytes } from '../../primitives/bytes.ts'
import { hexToAddress } from '../../primitives/hex.ts'
import type { Tx } from '../../types/transaction.ts'

/** Who keeps the groups of a node: the manager of private transactions, or a contract in each group's private state. */
export type GroupKind = 'managed' | 'flexible'

/** The address that markers of private transactions go to. Nothing is there: a marker costs its data, on every node. */
export const privacyPrecompile: Address = hexToAddress('0x000000000000000000000000000000000000007e')

/** The same where groups are flexible. */
export const flexiblePrecompile: Address = hexToAddress('0x000000000000000000000000000000000000007d')

export function precompileOf(kind: GroupKind): Address {
  return kind === 'flexible' ? flexiblePrecompile : privacyPrecompile
}

const keyLength = 32

/**
 * The key of the payload that a public transaction marks; undefined if it is not a marker. In flexible groups that of
 * the history for new members may follow.
 */
export function markedKey({ to, data }: Tx, kind: GroupKind): Uint8Array | undefined {
  if (!to || !equalBytes(to, precompileOf(kind))) return undefined
  const fits = data.length === keyLength || (kind === 'flexible' && data.length === 2 * keyLength)
  return fits ? data : undefined
}

/** The keys that a marker carries: that of the payload, and that of the history. */
export function splitMarker(data: Uint8Array): {
  readonly key: Uint8Array
  readonly historyKey: Uint8Array | undefined
} {
  return {
    key: data.subarray(0, keyLength),
    historyKey: data.length > keyLength ? data.subarray(keyLength) : undefined,
  }
}
