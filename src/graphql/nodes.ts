import type { HashedHeader, PlacedLog, StoredReceipt } from '../chain/view.ts'
import type { Address } from '../primitives/bytes.ts'
import type { Body } from '../types/block.ts'
import type { Log } from '../types/log.ts'
import type { Tx } from '../types/transaction.ts'

/** A block of a request. Members are undefined until `Loader` has read them. */
export interface BlockNode extends HashedHeader {
  /** Whether it is an ommer: only its header is known. */
  readonly isOmmer: boolean
  body: Body | undefined
  transactions: readonly TxNode[] | undefined
  receipts: readonly ReceiptNode[] | undefined
}

/** A mined or pending transaction. */
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
  /** The transaction, or the log as a query found it, whose transaction is then read on demand. */
  readonly source: TxNode | PlacedLog
}

/** An account after a block. It is empty if `at` is undefined: that block does not exist yet. */
export interface AccountNode {
  readonly address: Address
  readonly at: HashedHeader | undefined
}
