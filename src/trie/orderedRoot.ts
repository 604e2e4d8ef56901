import { compareBytes, type Hash32 } from '../primitives/bytes.ts'
import { encodeRlp, scalar } from '../primitives/rlp.ts'
import { computeRoot, type TrieEntry } from './computeRoot.ts'

/** Returns the root of the trie from RLP index to value: for transactions, receipts and withdrawals. */
export function orderedTrieRoot(values: readonly Uint8Array[]): Hash32 {
  const entries = values.map((value, index): TrieEntry => [encodeRlp(scalar(index)), value])
  entries.sort(([a], [b]) => compareBytes(a, b))
  return computeRoot(entries)
}
