import { type Address, equalBytes, never } from '../primitives/bytes.ts'
import { maxGasPriceOf } from '../types/transaction.ts'
import type { PoolEntry } from './entry.ts'

export interface NumberTest {
  readonly operator: 'eq' | 'lt' | 'gt'
  readonly value: bigint
}

/** What `txpool_besuPendingTransactions` can ask for; every member given must hold. */
export interface EntryFilter {
  readonly from?: Address
  readonly to?: Address | 'contract creation'
  readonly gas?: NumberTest
  /** For a transaction with a fee cap, that cap. */
  readonly gasPrice?: NumberTest
  readonly value?: NumberTest
  readonly nonce?: NumberTest
}

function holds(test: NumberTest | undefined, have: bigint): boolean {
  if (!test) return true
  switch (test.operator) {
    case 'eq':
      return have === test.value
    case 'lt':
      return have < test.value
    case 'gt':
      return have > test.value
    default:
      return never(test.operator)
  }
}

function goesTo(want: EntryFilter['to'], to: Address | undefined): boolean {
  if (want === undefined) return true
  return want === 'contract creation' ? to === undefined : to !== undefined && equalBytes(want, to)
}

function passes({ tx, sender }: PoolEntry, filter: EntryFilter): boolean {
  return (
    (!filter.from || equalBytes(filter.from, sender)) &&
    goesTo(filter.to, tx.to) &&
    holds(filter.gas, tx.gasLimit) &&
    holds(filter.gasPrice, maxGasPriceOf(tx)) &&
    holds(filter.value, tx.value) &&
    holds(filter.nonce, tx.nonce)
  )
}

/** The first entries that pass, `limit` at most. */
export function filterEntries(entries: Iterable<PoolEntry>, filter: EntryFilter, limit: number): PoolEntry[] {
  const found: PoolEntry[] = []
  if (limit <= 0) return found
  for (const entry of entries) {
    if (!passes(entry, filter)) continue
    found.push(entry)
    if (found.length === limit) break
  }
  return found
}
