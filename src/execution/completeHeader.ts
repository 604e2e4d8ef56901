import type { Rules } from '../forks/rules.ts'
import type { Hash32 } from '../primitives/bytes.ts'
import type { Steps } from '../primitives/steps.ts'
import { orderedRootInSteps, orderedTrieRoot } from '../trie/orderedRoot.ts'
import { type Block, ommersHashOf } from '../types/block.ts'
import { encodeTx } from '../types/encodeTx.ts'
import type { Header } from '../types/header.ts'
import { encodeReceipt } from '../types/receipt.ts'
import type { Tx } from '../types/transaction.ts'
import { encodeWithdrawal } from '../types/withdrawal.ts'
import type { BlockOutcome } from './applyBlock.ts'
import { requestsHashOf } from './requests.ts'

/** Fills in, in steps, what only running the block gives: roots, bloom, gas. */
export function* completeHeader(
  { header, ommers, withdrawals }: Block,
  transactions: readonly Tx[],
  outcome: BlockOutcome,
  stateRoot: Hash32,
  rules: Rules,
): Steps<Header> {
  return {
    ...header,
    ommersHash: ommersHashOf(ommers),
    stateRoot,
    transactionsRoot: yield* orderedRootInSteps(transactions, encodeTx),
    receiptsRoot: yield* orderedRootInSteps(outcome.receipts, encodeReceipt),
    logsBloom: outcome.logsBloom,
    gasUsed: outcome.gasUsed,
    withdrawalsRoot: rules.withdrawals ? orderedTrieRoot((withdrawals ?? []).map(encodeWithdrawal)) : undefined,
    blobGasUsed: rules.blobs ? outcome.blobGasUsed : undefined,
    requestsHash: rules.requests ? requestsHashOf(outcome.requests) : undefined,
  }
}
