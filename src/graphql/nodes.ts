import type { HashedHeader, PlacedLog, StoredReceipt } from '../chain/view.ts'
import type { Address } from '../primitives/bytes.ts'
import type { Body } from '../types/block.ts'
import type { Log } from '../types/log.ts'
import type { Tx } from '../types/transaction.ts'

/** A block of a request. What is undefined has not been read yet: see `Loader`. */
export interface BlockNode extends HashedHeader {
  /** Ommers have a header and nothing else. */
  readonly isOmmer: boolean
  body: Body | undefined
  transactions: readonly TxNode[] | undefined
  receipts: readonly ReceiptNode[] | undefined
}

/** A transaction, of a block or of the pool. */
export interface TxNode {
  readonly tx: Tx
  readonly place: { readonly block: BlockNode; readonly index: number } | undefined
}

/** A receipt of a block. */
export interface ReceiptNode {
  readonly receipt: StoredReceipt
  /** Index within the block of the receipt's first log. */
  readonly firstLogIndex: number
}

export interface LogNode {
  readonly log: Log
  readonly index: number
  /** Where the log was found by a search, its transaction is looked up when it is asked for. */
  readonly source: TxNode | PlacedLog
}

/** An account after a block; without a block, which lies in the future then, there is nothing in it. */
export interface AccountNode {
  readonly address: Address
  readonly at: HashedHeader | undefined
}
