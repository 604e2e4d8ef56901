import { compareBytes, type Hash32 } from '../primitives/bytes.ts'
import { encodeRlp, scalar } from '../primitives/rlp.ts'
import type { Steps } from '../primitives/steps.ts'
import { computeRoot, type TrieEntry } from './computeRoot.ts'

/** Returns the root of the trie from RLP index to value: for transactions, receipts and withdrawals. */
export function orderedTrieRoot(values: readonly Uint8Array[]): Hash32 {
  return computeRoot(values.map(entryOf).sort(compareKeys))
}

function entryOf(value: Uint8Array, index: number): TrieEntry {
  return [encodeRlp(scalar(index)), value]
}

function compareKeys([a]: TrieEntry, [b]: TrieEntry): number {
  return compareBytes(a, b)
}

/** Values that are encoded between two pauses. */
const stepSize = 32

/** The same for values that are yet to be encoded, in steps. */
export function* orderedRootInSteps<T>(values: readonly T[], encode: (value: T) => Uint8Array): Steps<Hash32> {
  const encoded: Uint8Array[] = []
  for (const value of values) {
    encoded.push(encode(value))
    if (encoded.length % stepSize === 0) yield
  }
  return orderedTrieRoot(encoded)
}
