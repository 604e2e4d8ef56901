import { data } from '../codecs/bytes.ts'
import { integer } from '../codecs/integer.ts'
import { listEncoder } from '../codecs/list.ts'
import { nothing } from '../codecs/nullable.ts'
import { record, replaceMembers, sharedMembers } from '../codecs/record.ts'
import { blockMembers, type ShownBlock } from './block.ts'
import { type PlacedReceipt, receiptMembers } from './receipt.ts'
import { type PlacedTx, transactionMembers } from './transaction.ts'

const none = () => undefined

/** The members of a block without its bloom, whose transactions are counted and not listed. */
export const slimMembers = [
  ...replaceMembers(
    blockMembers.filter(({ name }) => name !== 'transactions'),
    (member) => [member('logsBloom', nothing, none)],
  ),
  ...sharedMembers<ShownBlock>((member) => [
    member('transactionCount', integer, ({ block }) => block.transactions.length),
  ]),
]

/** A page of the transactions of a block. */
interface BlockPage {
  readonly block: ShownBlock
  readonly receipts: readonly PlacedReceipt[]
}

const selectorLength = 4

/** A transaction, with the selector of its input only. */
const slimTransaction = record<PlacedTx>('transaction', () =>
  replaceMembers(transactionMembers, (member) => [
    member('input', data, ({ tx }) => tx.data.subarray(0, selectorLength)),
  ]),
)

/** A receipt without logs. */
const slimReceipt = record<PlacedReceipt>('receipt', () =>
  replaceMembers(receiptMembers, (member) => [member('logs', nothing, none), member('logsBloom', nothing, none)]),
)

const pagedBlock = record<BlockPage>('block', (member) => [
  ...slimMembers.map((one) => ({ ...one, encode: ({ block }: BlockPage) => one.encode(block) })),
  member('transactions', listEncoder(slimTransaction), ({ receipts }) => receipts),
])

export const blockPageObject = record<BlockPage>('blockPage', (member) => [
  member('fullblock', pagedBlock, (page) => page),
  member('receipts', listEncoder(slimReceipt), ({ receipts }) => receipts),
])
