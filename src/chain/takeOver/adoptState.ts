import type { BlockKey } from '../../store/chainTables.ts'
import type { Transaction } from '../../store/table.ts'
import { blockIndexes } from '../blockIndexes.ts'
import type { HeadEvent } from '../events.ts'
import { requireHeaderRecord, writeMark } from '../records.ts'
import { dropHeaders } from './headersAhead.ts'
import { writePast } from './past.ts'

/** Makes a block ahead of the head the head, with the state that `exchange` puts in place; so many blocks before it are wanted, too. */
export function adoptState(
  txn: Transaction,
  pivot: BlockKey,
  exchange: (txn: Transaction) => void,
  pastBlocks: number,
): HeadEvent {
  const record = requireHeaderRecord(txn, pivot)
  dropHeaders(txn, pivot)
  exchange(txn)
  writeMark(txn, 'head', pivot.hash)
  writeMark(txn, 'ahead', undefined)
  const first = pivot.number + 1
  const wanted = Math.max(1, first - pastBlocks)
  for (const index of blockIndexes) index.jump(txn, pivot)
  writePast(txn, { first, wanted, sealed: first, perMinute: 0 })
  return { head: record, added: [], removed: [] }
}
