import { BlockError } from '../../execution/fault.ts'
import { equalBytes } from '../../primitives/bytes.ts'
import { type BlockKey, canonical, engineRecords, headers, numbers } from '../../store/chainTables.ts'
import type { Reader, Transaction } from '../../store/table.ts'
import type { ConsensusEngine } from '../engine.ts'
import {
  isCanonicalKey,
  keyOfBlock,
  readMark,
  requireHead,
  requireHeaderRecord,
  writeHeader,
  writeMark,
} from '../records.ts'
import type { HeaderRecord } from '../storedHeader.ts'
import type { ChainView, HashedHeader } from '../view.ts'

/** Checks a header whose parent is in the chain; throws a BlockError. */
export type CheckHeader = (block: HashedHeader, parent: HashedHeader, chain: ChainView, isLast: boolean) => void

export interface HeadersAheadParts {
  readonly consensus: Pick<ConsensusEngine, 'recordAfter'>
  viewOf(reader: Reader): ChainView
}

/** The last header of the chain: that of the head, or one that is stored ahead of it. */
export function readLastHeader(reader: Reader): HeaderRecord {
  const ahead = readMark(reader, 'ahead')
  return ahead ? requireHeaderRecord(reader, ahead) : requireHead(reader)
}

/** Whether a block is ahead of the head: its header is there, and nothing else. */
export function isAheadOf(reader: Reader, head: HashedHeader, key: BlockKey): boolean {
  return key.number > Number(head.header.number) && isCanonicalKey(reader, key)
}

/** Removes the headers after a block that is not before the head. */
export function dropHeaders(txn: Transaction, last: BlockKey): void {
  for (let key = readMark(txn, 'ahead'); key && key.number > last.number; ) {
    const { header } = requireHeaderRecord(txn, key)
    txn.remove(headers, key)
    txn.remove(numbers, key.hash)
    txn.remove(canonical, key.number)
    txn.remove(engineRecords, key)
    key = { number: key.number - 1, hash: header.parentHash }
  }
}

/** Stores headers ahead of the head, in place of those that are after the parent of the first one. */
export function writeHeadersAhead(
  txn: Transaction,
  list: readonly HashedHeader[],
  check: CheckHeader,
  { consensus, viewOf }: HeadersAheadParts,
): void {
  const [first, last] = [list[0], list.at(-1)]
  if (!first || !last) return
  const base = { number: Number(first.header.number) - 1, hash: first.header.parentHash }
  const head = requireHead(txn)
  const isOnHead = equalBytes(base.hash, head.hash)
  if (!isOnHead && !isAheadOf(txn, head, base)) throw new BlockError({ code: 'PARENT_UNKNOWN', parent: base.hash })
  dropHeaders(txn, base)
  const view = viewOf(txn)
  let parent = requireHeaderRecord(txn, base)
  for (const { header, hash } of list) {
    check({ header, hash }, parent, view, hash === last.hash)
    parent = { header, hash, totalDifficulty: parent.totalDifficulty + header.difficulty }
    const key = keyOfBlock(parent)
    writeHeader(txn, parent)
    txn.put(canonical, key.number, hash)
    const record = consensus.recordAfter?.(parent, () => view)
    if (record) txn.put(engineRecords, key, record)
  }
  writeMark(txn, 'ahead', last.hash)
}
