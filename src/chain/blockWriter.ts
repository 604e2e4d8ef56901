import { type BlockOutcome, verifyStateRoot } from '../execution/applyBlock.ts'
import type { StateStore } from '../state/stateStore.ts'
import { engineRecords } from '../store/chainTables.ts'
import type { Reader, Transaction } from '../store/table.ts'
import type { BlockRunner } from './blockRunner.ts'
import { appendCanonical, dropCanonical, type IndexOptions } from './canonical.ts'
import type { ConsensusEngine } from './engine.ts'
import { keyOfBlock, readMark, requireBlock, writeBody, writeHeader, writeReceipts, writeSenders } from './records.ts'
import type { HeaderRecord } from './storedHeader.ts'
import { storedReceiptsOf } from './storedReceipts.ts'
import { PastError } from './takeOver/fault.ts'
import { readPast } from './takeOver/past.ts'
import type { ChainView, HashedBlock } from './view.ts'

export interface BlockWriterParts extends IndexOptions {
  readonly states: StateStore
  readonly consensus: Pick<ConsensusEngine, 'recordAfter'>
  readonly runner: Pick<BlockRunner, 'onCommitted' | 'forget'>
  /** Store the output of reverted transactions. */
  readonly keepRevertReasons: boolean
  viewOf(reader: Reader): ChainView
}

/** Puts blocks at the end of the canonical chain and takes them off, each with its state. */
export interface BlockWriter {
  /** Writes a block that was run on the head and makes it the head; a BlockError says that its state root is wrong. */
  append(txn: Transaction, hashed: HashedBlock, outcome: BlockOutcome, parent: HeaderRecord): HeaderRecord
  /** Takes off canonical blocks until block `number` is the head; returns them, newest first. */
  unwindTo(txn: Transaction, number: number): HashedBlock[]
}

/** Blocks that are taken off stay stored, so that their branch can become canonical again. */
export function createBlockWriter(parts: BlockWriterParts): BlockWriter {
  const { states, consensus, runner, keepRevertReasons, viewOf } = parts
  return {
    append(txn, hashed, outcome, parent) {
      const key = keyOfBlock(hashed)
      const { header, hash, block } = hashed
      verifyStateRoot(block, states.commit(txn, key.number, outcome.changes))
      const record = { header, hash, totalDifficulty: parent.totalDifficulty + header.difficulty }
      const receipts = storedReceiptsOf(outcome, keepRevertReasons)
      writeHeader(txn, record)
      writeBody(txn, key, block)
      writeReceipts(txn, key, receipts)
      writeSenders(txn, key, block)
      appendCanonical(txn, key, block.transactions, receipts, parts)
      const kept = consensus.recordAfter?.(hashed, () => viewOf(txn))
      if (kept) txn.put(engineRecords, key, kept)
      runner.onCommitted(hash)
      return record
    },
    unwindTo(txn, number) {
      const removed: HashedBlock[] = []
      let key = readMark(txn, 'head')!
      const past = readPast(txn)
      if (past && number + 1 < past.first && number < key.number)
        throw new PastError({ code: 'BLOCK_NOT_HERE', block: number + 1, past })
      while (key.number > number) {
        removed.push(requireBlock(txn, key))
        key = keyOfBlock(dropCanonical(txn, key))
      }
      states.unwind(txn, number)
      runner.forget()
      return removed
    },
  }
}
