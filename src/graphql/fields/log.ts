import type { PlacedLog } from '../../chain/view.ts'
import { type Fields, paidBytes, paidList, type QueryContext } from '../context.ts'
import type { BlockNode, LogNode, TxNode } from '../nodes.ts'
import { accountAt, type BlockArgument } from './accountAt.ts'

/** The node of a log that a query found. */
export function foundLog(found: PlacedLog): LogNode {
  return { log: found, index: found.logIndex, source: found }
}

function blockOf({ source }: LogNode, { load }: QueryContext): BlockNode {
  return 'tx' in source ? source.place!.block : load.blockBy(source.blockHash)!
}

function transactionOf({ source }: LogNode, context: QueryContext): TxNode {
  if ('tx' in source) return source
  return context.load.transactions(context.load.blockBy(source.blockHash)!)[source.txIndex]!
}

export const logFields: Fields<LogNode> = {
  index: ({ index }) => index,
  account: (node, args: BlockArgument, context) => accountAt(node.log.address, args, blockOf(node, context), context),
  topics: ({ log }, _, context, info) => paidList(log.topics, context, info),
  data: ({ log }, _, context) => paidBytes(log.data, context),
  transaction: (node, _, context) => transactionOf(node, context),
}
