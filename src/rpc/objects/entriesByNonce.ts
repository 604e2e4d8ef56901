import type { PoolEntry } from '../../pool/entry.ts'
import { dictionary } from '../codecs/record.ts'
import { pooledTransactionObject } from './pooledTransaction.ts'

export type ByNonce = ReadonlyMap<string, PoolEntry>

/** Transactions of one sender by nonce. */
export function byNonce(entries: readonly PoolEntry[]): ByNonce {
  return new Map(entries.map((entry) => [String(entry.tx.nonce), entry]))
}

export const entriesByNonce = dictionary(pooledTransactionObject)
