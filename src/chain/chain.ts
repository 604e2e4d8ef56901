import type { BlockRun } from '../execution/applyBlock.ts'
import type { ChainSpec } from '../forks/chainSpec.ts'
import type { Address, Hash32 } from '../primitives/bytes.ts'
import type { Steps } from '../primitives/steps.ts'
import type { StoreDelegate, StoreDelegation } from '../store/store.ts'
import type { Transaction } from '../store/table.ts'
import type { Block } from '../types/block.ts'
import type { Header } from '../types/header.ts'
import type { Tx } from '../types/transaction.ts'
import type { BadBlocks } from './badBlocks.ts'
import type { BulkImport } from './bulkImport.ts'
import type { CheckedBlock } from './checkedBlock.ts'
import type { HeadEvent } from './events.ts'
import type { Mark } from './records.ts'
import type { CheckHeader } from './takeOver/headersAhead.ts'
import type { Past } from './takeOver/past.ts'
import type { PastBlock } from './takeOver/pastBlocks.ts'
import type { ChainView, HashedBlock, HashedHeader } from './view.ts'

/** What an import did: the block is the new head, its branch became canonical, it was stored beside the chain, or it was known. */
export type ImportStatus = 'extended' | 'reorganised' | 'side' | 'known'

/** What the producer of a block adds to it. */
export interface Maker {
  /** Collects the fees, where consensus reads that account from the seal, which is not there yet. */
  readonly beneficiary?: Address
  /** Puts the producer's seal on a finished header. */
  readonly seal?: (header: Header) => Header
}

/** Runs transactions and returns those that go into the block; undefined abandons the block. */
export type Select = (run: BlockRun) => Steps<readonly Tx[] | undefined>

/** Another thread that imports blocks into the chain. */
export interface ChainDelegate extends StoreDelegate {
  /** Announces what it has written by now, and has not announced yet. */
  deliver(): void
}

/** What the owner of a chain does for its delegate. */
export interface ChainDelegation extends StoreDelegation {
  announce(event: HeadEvent): void
}

/** The blockchain: the only writer of blocks and of the public state. */
export interface Chain {
  readonly spec: ChainSpec
  readonly genesis: HashedHeader
  /** Blocks that failed validation lately. */
  readonly badBlocks: BadBlocks

  /** The current head. */
  head(): HashedHeader
  /** Reads the chain as of the last commit; the view is closed when `ask` returns, so nothing may be read from it later. */
  read<T>(ask: (view: ChainView) => T): T
  /** A view for those who keep one: they must close it, soon after `onUnmap` is called. All others call `read`. */
  openView(onUnmap?: () => void): ChainView

  /**
   * Imports one block; of a checked one only what depends on the head is validated. A BlockError says why it is invalid; then nothing of
   * it is stored, it is only listed as bad.
   */
  importBlock(block: Block | CheckedBlock): ImportStatus
  /** Imports blocks in one transaction; if one is invalid, those before it are imported and its BlockError is thrown. */
  importBlocks(blocks: readonly Block[]): void
  /**
   * Stores headers ahead of the head, of blocks that are taken over without being run; they follow the head or one another, in place of
   * those that were there. `check` throws a BlockError: then none of them is stored.
   */
  importHeaders(headers: readonly HashedHeader[], check: CheckHeader): void
  /** The head, or the last header ahead of it. */
  lastHeader(): HashedHeader
  /**
   * Makes the last header ahead of the head the head; `exchange` puts the state after it in place. So many blocks before it are to come
   * later.
   */
  adoptState(exchange: (txn: Transaction) => void, pastBlocks: number): void
  /** Writes blocks before the head that are missing, highest first, and what there is with them. */
  importPast(blocks: readonly PastBlock[], past: Past): void
  /** Begins an import of many blocks, one at a time. Other writers wait for what is on its way to the disk. */
  openBulk(): Promise<BulkImport>
  /** Lets another thread import blocks, instead of `openBulk`. Other writers do so while that thread waits. */
  delegateTo(delegate: ChainDelegate): ChainDelegation
  /**
   * Builds a block on the head, or on an earlier canonical block, without writing it: `draft` has the fields that its producer decides,
   * `select` picks the transactions. Any other use of the chain between two steps comes first: then they end early, with undefined.
   */
  propose(draft: Block, select: Select, maker?: Maker): Steps<HashedBlock | undefined>
  /** Builds a block on the head and imports it, in one transaction. */
  produce(draft: Block, select: Select, maker?: Maker): HashedBlock | undefined
  /**
   * Validates a block on the head as an import would, except for the seals that a proposal has yet to get (a checked one has them),
   * without writing it; its import does not run it again. A BlockError says why it is invalid. Any other use of the chain between two steps comes first: then
   * they end early, and say nothing.
   */
  verify(block: Block | CheckedBlock): Steps<void>

  /** Makes an earlier canonical block the head; the blocks after it stay known. */
  setHead(number: bigint): void
  /** Unwinds the chain to the parent of a canonical block and imports that block again, in one transaction. */
  replayBlock(number: bigint): void
  /** Names the last safe or finalized block; undefined removes the name. */
  setMark(mark: Exclude<Mark, 'head'>, hash: Hash32 | undefined): void
  /** Runs a write transaction that moves the state, unchanged, to other tables. */
  exchangeState(exchange: (txn: Transaction) => void): void
  /**
   * Deletes the states before block `before`, as far as they are older than the head, and as many as there is time for, if that is limited.
   * Returns whether nothing is left to delete.
   */
  prune(before: number, goOn?: () => boolean): boolean
  /**
   * Removes bodies and receipts of blocks below `before`, as many as there is time for, and takes them out of the indexes; those of whole
   * pages of the log index go together. Returns whether nothing is left to remove.
   */
  pruneBlocks(before: number, goOn: () => boolean): boolean

  /** Calls the listener after each change of head, once it is committed; returns a function that unsubscribes. */
  onHead(listener: (event: HeadEvent) => void): () => void
}
