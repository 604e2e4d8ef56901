import type { ChainView, HashedHeader } from '../../chain/view.ts'
import type { PlacedReceipt } from '../objects/receipt.ts'

/** The receipts of a block with their positions; undefined if the block was never executed. */
export function placedReceipts(chain: ChainView, block: HashedHeader): PlacedReceipt[] | undefined {
  const receipts = chain.receipts(block.hash)
  const transactions = chain.body(block.hash)?.transactions
  if (!receipts || !transactions) return undefined
  const rules = chain.rulesOf(block.header)
  let firstLogIndex = 0
  return receipts.map((receipt, index) => {
    const placed = { tx: transactions[index]!, block, index, receipt, rules, firstLogIndex }
    firstLogIndex += receipt.logs.length
    return placed
  })
}
