import type { PoolEntry } from '../../pool/entry.ts'
import type { Encoder } from '../codecs/codec.ts'
import { pendingTransactionObject } from './pendingTransaction.ts'
import { type PlacedTx, transactionObject } from './transaction.ts'

/** A transaction of the chain, or one of the pool. */
export const anyTransactionObject: Encoder<PlacedTx | PoolEntry> = {
  schema: { oneOf: [transactionObject.schema, pendingTransactionObject.schema] },
  encode: (found) => ('block' in found ? transactionObject.encode(found) : pendingTransactionObject.encode(found)),
}
