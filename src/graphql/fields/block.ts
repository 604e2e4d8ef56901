import { andThen } from '../../primitives/andThen.ts'
import type { Address } from '../../primitives/bytes.ts'
import { encodeBody } from '../../types/block.ts'
import { encodeHeader, type Header, headerHash } from '../../types/header.ts'
import { type Fields, paidBytes, paidList } from '../context.ts'
import { QueryError } from '../fault.ts'
import type { AccountNode, BlockNode } from '../nodes.ts'
import { accountAt, type BlockArgument } from './accountAt.ts'
import { type CallData, callAtBlock } from './callAtBlock.ts'
import { foundLog } from './log.ts'
import { type BlockFilter, blockFilterConditions } from './logFilter.ts'

interface IndexArgument {
  readonly index: bigint
}

function ommerNode(header: Header): BlockNode {
  const nothing = { body: undefined, transactions: undefined, receipts: undefined }
  return { header, hash: headerHash(header), isOmmer: true, ...nothing }
}

/** The item at an index; undefined if there is none. */
function itemAt<T>(items: readonly T[], index: bigint): T | undefined {
  if (index < 0n) throw new QueryError({ code: 'NEGATIVE' })
  return items[Number(index)]
}

export const blockFields: Fields<BlockNode> = {
  number: ({ header }) => header.number,
  hash: ({ hash }) => hash,
  parent: ({ header }, _, { load }) => (header.number === 0n ? undefined : load.blockBy(header.parentHash)),
  nonce: ({ header }) => header.nonce,
  transactionsRoot: ({ header }) => header.transactionsRoot,
  transactionCount: (block, _, { load }) => load.body(block).transactions.length,
  stateRoot: ({ header }) => header.stateRoot,
  receiptsRoot: ({ header }) => header.receiptsRoot,
  miner: (block, args: BlockArgument, context) => accountAt(block.header.beneficiary, args, block, context),
  extraData: ({ header }, _, context) => paidBytes(header.extraData, context),
  gasLimit: ({ header }) => header.gasLimit,
  gasUsed: ({ header }) => header.gasUsed,
  baseFeePerGas: ({ header }) => header.baseFee,
  nextBaseFeePerGas: () => undefined,
  timestamp: ({ header }) => header.timestamp,
  logsBloom: ({ header }, _, context) => paidBytes(header.logsBloom, context),
  mixHash: ({ header }) => header.mixHash,
  difficulty: ({ header }) => header.difficulty,
  totalDifficulty: ({ hash, isOmmer }, _, { load }) => (isOmmer ? 0n : load.chain.totalDifficulty(hash)),
  ommerCount: (block, _, { load }) => (block.isOmmer ? undefined : load.body(block).ommers.length),
  ommers: (block, _, context, info) => paidList(context.load.body(block).ommers.map(ommerNode), context, info),
  ommerAt(block, { index }: IndexArgument, { load }) {
    const header = itemAt(load.body(block).ommers, index)
    return header && ommerNode(header)
  },
  ommerHash: ({ header }) => header.ommersHash,
  transactions: (block, _, context, info) => paidList(context.load.transactions(block), context, info),
  transactionAt: (block, { index }: IndexArgument, { load }) => itemAt(load.transactions(block), index),
  logs({ hash }, { filter }: { filter: BlockFilter }, context, info) {
    return paidList(context.load.chain.logsOf(hash, blockFilterConditions(filter)).map(foundLog), context, info)
  },
  account: (block, { address }: { address: Address }): AccountNode => ({ address, at: block }),
  call: (block, { data }: { data: CallData }, context) =>
    block.isOmmer ? undefined : callAtBlock(data, block, context),
  estimateGas: (block, { data }: { data: CallData }, context) =>
    block.isOmmer ? 0n : andThen(callAtBlock(data, block, context), ({ gasUsed }) => gasUsed),
  rawHeader: ({ header }, _, context) => paidBytes(encodeHeader(header), context),
  raw: (block, _, context) => paidBytes(encodeBody(context.load.body(block)), context),
  withdrawalsRoot: ({ header }) => header.withdrawalsRoot,
  withdrawals(block, _, context, info) {
    const { withdrawals } = context.load.body(block)
    return withdrawals && paidList(withdrawals, context, info)
  },
  blobGasUsed: ({ header }) => header.blobGasUsed,
  excessBlobGas: ({ header }) => header.excessBlobGas,
}
