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

/** One of them, without the others; undefined if there is none. */
export function placedReceipt(chain: ChainView, block: HashedHeader, index: number): PlacedReceipt | undefined {
  const tx = chain.transactionAt(block.hash, index)
  const found = chain.receiptAt(block.hash, index)
  return tx && found && { ...found, tx, block, index, rules: chain.rulesOf(block.header) }
}
