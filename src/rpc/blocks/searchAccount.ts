import type { Appearance, ChainView } from '../../chain/view.ts'
import type { Address } from '../../primitives/bytes.ts'
import { boolean } from '../codecs/boolean.ts'
import type { Decoder } from '../codecs/codec.ts'
import { decodeInteger, integer } from '../codecs/integer.ts'
import { listEncoder } from '../codecs/list.ts'
import { record } from '../codecs/record.ts'
import { type PlacedReceipt, receiptMembers } from '../objects/receipt.ts'
import { transactionObject } from '../objects/transaction.ts'
import { invalidParams, RpcError } from '../protocol/fault.ts'
import type { ErrorDoc } from '../protocol/method.ts'
import { placedReceipts } from './placedReceipts.ts'

/** A page of the transactions in which an account appears, newest first. */
export interface FoundPage {
  readonly found: readonly PlacedReceipt[]
  /** Whether nothing is newer. */
  readonly isFirst: boolean
  /** Whether nothing is older. */
  readonly isLast: boolean
}

const timedReceipt = record<PlacedReceipt>('receipt', (member) => [
  ...receiptMembers,
  member('timestamp', integer, ({ block }) => Number(block.header.timestamp)),
])

export const pageObject = record<FoundPage>('page', (member) => [
  member('txs', listEncoder(transactionObject), ({ found }) => found),
  member('receipts', listEncoder(timedReceipt), ({ found }) => found),
  member('firstPage', boolean, ({ isFirst }) => isFirst),
  member('lastPage', boolean, ({ isLast }) => isLast),
])

const maxPageSize = 1000n

/** Number of transactions of a page. */
export const pageSize: Decoder<number> = {
  schema: { title: 'page size', type: ['string', 'integer'], minimum: 1, maximum: Number(maxPageSize) },
  decode(json) {
    const value = decodeInteger(json)
    if (value < 1n || value > maxPageSize) throw invalidParams(`the page size must be 1 to ${maxPageSize}`)
    return Number(value)
  },
}

export const searchErrors: readonly ErrorDoc[] = [
  [-32000, 'The index of accounts does not have all blocks that the page would be taken from yet.'],
]

/** Refuses to answer from blocks that are not indexed: `isComplete` says whether those that are suffice. */
function requireIndex({ accountIndex, head }: ChainView, isComplete: (first: bigint, last: bigint) => boolean): void {
  const code = 'ACCOUNT_INDEX_INCOMPLETE'
  if (!accountIndex) throw new RpcError({ code, detail: 'accounts are not indexed' })
  const { first, last } = accountIndex
  if (isComplete(BigInt(first), BigInt(last))) return
  throw new RpcError({ code, detail: `it has blocks ${first} to ${last} of ${head.header.number} so far` })
}

/** The receipts of the transactions, in the same order. */
function read(chain: ChainView, { blockNumber, indexes }: Appearance): PlacedReceipt[] {
  const receipts = placedReceipts(chain, chain.headerAt(blockNumber)!)!
  return indexes.map((index) => receipts[index]!)
}

/** Takes blocks until there are enough transactions; all of a block belong to one page. Returns whether there are more. */
function fill(appearances: Iterable<Appearance>, size: number, take: (one: Appearance) => void): boolean {
  let count = 0
  for (const one of appearances) {
    if (count >= size) return true
    take(one)
    count += one.indexes.length
  }
  return false
}

/** Transactions before a block; 0 stands for the block after the head. */
export function searchBefore(chain: ChainView, address: Address, block: bigint, size: number): FoundPage {
  const head = chain.head.header.number
  const from = block === 0n || block > head ? head : block - 1n
  const found: PlacedReceipt[] = []
  const more = fill(chain.appearances(address, from, 'descending'), size, (one) => {
    found.push(...read(chain, one).reverse())
  })
  requireIndex(chain, (first, last) => last >= from && (more || first === 0n))
  return { found, isFirst: block === 0n, isLast: !more }
}

/** Transactions after a block. */
export function searchAfter(chain: ChainView, address: Address, block: bigint, size: number): FoundPage {
  const head = chain.head.header.number
  const found: PlacedReceipt[] = []
  const from = block === 0n ? 0n : block + 1n
  const more = fill(chain.appearances(address, from, 'ascending'), size, (one) => {
    found.push(...read(chain, one))
  })
  requireIndex(chain, (first, last) => first <= from && (more || last === head))
  return { found: found.reverse(), isFirst: !more, isLast: block === 0n }
}
