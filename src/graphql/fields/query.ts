import { maxEthVersion } from '../../net/eth/messages.ts'
import { andThen } from '../../primitives/andThen.ts'
import type { Address, Hash32 } from '../../primitives/bytes.ts'
import { gasPriceToOffer, offeredPriorityFee } from '../../query/prices.ts'
import { type Fields, paidItems, type QueryContext } from '../context.ts'
import { QueryError } from '../fault.ts'
import type { AccountNode, BlockNode, LogNode } from '../nodes.ts'
import { foundLog } from './log.ts'
import { type BlockFilter, blockFilterConditions } from './logFilter.ts'

/** Blocks that a log query searches per check of the budget. */
const searchStep = 1000n
/** Cost of such a step, and of a query of gas prices, in values of the budget. */
const searchCost = 100

interface BlockArguments {
  readonly number?: bigint | null
  readonly hash?: Hash32 | null
}

interface RangeArguments {
  readonly from?: bigint | null
  readonly to?: bigint | null
}

interface AccountArguments {
  readonly address: Address
  readonly blockNumber?: bigint | null
}

interface LogFilter extends BlockFilter {
  readonly fromBlock?: bigint | null
  readonly toBlock?: bigint | null
}

function findAccount({ address, blockNumber }: AccountArguments, { load }: QueryContext): AccountNode {
  const at = (blockNumber ?? undefined) === undefined ? load.head() : load.blockAt(blockNumber!)
  if (!at) throw new QueryError({ code: 'INVALID_PARAMS' })
  return { address, at }
}

function findBlock({ number, hash }: BlockArguments, { load }: QueryContext): BlockNode {
  const byNumber = (number ?? undefined) !== undefined
  if (byNumber && hash) throw new QueryError({ code: 'INVALID_PARAMS' })
  if (byNumber && number! < 0n) throw new QueryError({ code: 'NEGATIVE' })
  if (!byNumber && !hash) return load.head()
  const found = hash ? load.blockBy(hash) : load.blockAt(number!)
  if (found) return found
  throw new QueryError(
    hash ? { code: 'BLOCK_HASH_NOT_FOUND', hash } : { code: 'BLOCK_NUMBER_NOT_FOUND', number: number! },
  )
}

function* blocksBetween(from: bigint, to: bigint, { load }: QueryContext): Generator<BlockNode> {
  const head = load.chain.head.header.number
  for (let number = from; number <= to && number <= head; number++) yield load.blockAt(number)!
}

function findBlocks({ from, to }: RangeArguments, context: QueryContext): Iterable<BlockNode> {
  if ((from ?? undefined) === undefined) throw new QueryError({ code: 'FROM_MISSING' })
  const last = to ?? context.load.chain.head.header.number
  if (from! > last) throw new QueryError({ code: 'INVALID_PARAMS' })
  if (from! < 0n) throw new QueryError({ code: 'NEGATIVE' })
  const { maxBlocksRange = 0 } = context.ports
  if (maxBlocksRange > 0 && last - from! > BigInt(maxBlocksRange)) throw new QueryError({ code: 'INVALID_PARAMS' })
  return blocksBetween(from!, last, context)
}

function* findLogs(filter: LogFilter, { load: { chain }, budget }: QueryContext): Generator<LogNode> {
  const head = chain.head.header.number
  const fromBlock = filter.fromBlock ?? head
  const toBlock = filter.toBlock ?? head
  if (fromBlock > toBlock) throw new QueryError({ code: 'INVALID_PARAMS' })
  if (fromBlock < 0n) throw new QueryError({ code: 'NEGATIVE' })
  const last = toBlock < head ? toBlock : head
  for (let from = fromBlock; from <= last; from += searchStep) {
    const end = from + searchStep - 1n
    // A search that finds nothing takes time too.
    budget.spend(searchCost)
    const query = { fromBlock: from, toBlock: end < last ? end : last, ...blockFilterConditions(filter) }
    for (const found of chain.logs(query)) yield foundLog(found)
  }
}

export const queryFields: Fields<undefined> = {
  account: (_, args: AccountArguments, context) => findAccount(args, context),
  block: (_, args: BlockArguments, context) => findBlock(args, context),
  blocks: (_, args: RangeArguments, context, info) => paidItems(findBlocks(args, context), context, info),
  pending: (_source, _args, { ports }) => ports.pool,
  transaction: (_, { hash }: { hash: Hash32 }, { load }) => load.transactionBy(hash),
  logs: (_, { filter }: { filter: LogFilter }, context, info) => paidItems(findLogs(filter, context), context, info),
  gasPrice(_source, _args, { load, ports, budget }) {
    budget.spend(searchCost)
    return andThen(ports.minGasPrice(), (min) => gasPriceToOffer(load.chain, ports.prices, min))
  },
  maxPriorityFeePerGas(_source, _args, { load, ports, budget }) {
    budget.spend(searchCost)
    return offeredPriorityFee(load.chain, ports.prices) ?? 0n
  },
  syncing: (_source, _args, { ports }) => ports.syncStatus(),
  chainID: (_source, _args, { load }) => load.chain.spec.chainId,
  protocolVersion: () => maxEthVersion,
}
