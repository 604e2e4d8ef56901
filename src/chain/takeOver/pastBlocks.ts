import { canonical } from '../../store/chainTables.ts'
import type { Transaction } from '../../store/table.ts'
import type { Body } from '../../types/block.ts'
import { indexBlock } from '../canonical.ts'
import {
  isCanonicalKey,
  keyOfBlock,
  requireHeaderRecord,
  writeBody,
  writeHeader,
  writeReceipts,
  writeSenders,
} from '../records.ts'
import type { HashedHeader, StoredReceipt } from '../view.ts'
import { type Past, writePast } from './past.ts'

/** A canonical block whose header is there, and what is written of it. */
export interface PastBlock {
  readonly hashed: HashedHeader
  /** Whether the header has other seals than the stored one. */
  readonly isResealed: boolean
  /** Undefined if nothing but the header is kept of the block. */
  readonly content: { readonly body: Body; readonly receipts: readonly StoredReceipt[] } | undefined
}

/** Writes blocks that came after those that follow them, and what there is now. */
export function writePastBlocks(
  txn: Transaction,
  blocks: readonly PastBlock[],
  past: Past,
  options: { readonly indexLogs: boolean },
): void {
  for (const { hashed, isResealed, content } of blocks) {
    const key = keyOfBlock(hashed)
    if (!isCanonicalKey(txn, key)) throw new TypeError(`block ${key.number} is not in ${canonical.name}`)
    if (isResealed) writeHeader(txn, { ...requireHeaderRecord(txn, key), header: hashed.header })
    if (!content) continue
    writeBody(txn, key, content.body)
    writeReceipts(txn, key, content.receipts)
    writeSenders(txn, key, content.body)
    indexBlock(txn, key.number, content.body.transactions, content.receipts, options)
  }
  writePast(txn, past)
}
