import { andThen } from '../../primitives/andThen.ts'
import type { Address } from '../../primitives/bytes.ts'
import type { Tx } from '../../types/transaction.ts'
import { type Fields, paidItems } from '../context.ts'
import type { AccountNode, TxNode } from '../nodes.ts'
import type { QueryPool } from '../ports.ts'
import { type CallData, callAtBlock } from './callAtBlock.ts'

function* waiting(entries: Iterable<{ readonly tx: Tx }>): Generator<TxNode> {
  for (const { tx } of entries) yield { tx, place: undefined }
}

/** The source is the pool. Its transactions are not executed: accounts have the state of the latest block. */
export const pendingFields: Fields<QueryPool> = {
  transactionCount(pool) {
    return andThen(pool.statistics(), ({ localCount, remoteCount }) => localCount + remoteCount)
  },
  transactions: (pool, _, context, info) =>
    andThen(pool.entries(), (entries) => paidItems(waiting(entries), context, info)),
  account: (_, { address }: { address: Address }, { load }): AccountNode => ({ address, at: load.head() }),
  call: (_, { data }: { data: CallData }, context) => callAtBlock(data, context.load.head(), context),
  estimateGas: (_, { data }: { data: CallData }, context) =>
    andThen(callAtBlock(data, context.load.head(), context), ({ gasUsed }) => gasUsed),
}
