import { andThen } from '../../primitives/andThen.ts'
import type { Address } from '../../primitives/bytes.ts'
import { type Fields, paidItems } from '../context.ts'
import type { AccountNode, TxNode } from '../nodes.ts'
import type { GraphqlPorts } from '../ports.ts'
import { type CallData, callAtBlock } from './callAtBlock.ts'

function* waiting(pool: GraphqlPorts['pool']): Generator<TxNode> {
  for (const { tx } of pool.entries()) yield { tx, place: undefined }
}

/** The source is the pool. Its transactions are not executed: accounts have the state of the latest block. */
export const pendingFields: Fields<GraphqlPorts['pool']> = {
  transactionCount(pool) {
    const { localCount, remoteCount } = pool.statistics()
    return localCount + remoteCount
  },
  transactions: (pool, _, context, info) => paidItems(waiting(pool), context, info),
  account: (_, { address }: { address: Address }, { load }): AccountNode => ({ address, at: load.head() }),
  call: (_, { data }: { data: CallData }, context) => callAtBlock(data, context.load.head(), context),
  estimateGas: (_, { data }: { data: CallData }, context) =>
    andThen(callAtBlock(data, context.load.head(), context), ({ gasUsed }) => gasUsed),
}
