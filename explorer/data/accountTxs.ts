import type { Hex } from 'viem'
import type { Receipt, Transaction } from './objects.ts'
import type { Ask } from './rpc.ts'

/** Transactions of an account, newest first: those of whole blocks, as many as asked for or a few more. */
export interface AccountTxPage {
  readonly txs: readonly Transaction[]
  readonly receipts: readonly (Receipt & { readonly timestamp: number | Hex })[]
  readonly firstPage: boolean
  readonly lastPage: boolean
}

/** Transactions before a block; of zero, the newest ones. */
export const loadTxsBefore = (ask: Ask, account: Hex, block: number, size: number): Promise<AccountTxPage> =>
  ask('ots_searchTransactionsBefore', [account, block, size])

export const loadTxsAfter = (ask: Ask, account: Hex, block: number, size: number): Promise<AccountTxPage> =>
  ask('ots_searchTransactionsAfter', [account, block, size])
