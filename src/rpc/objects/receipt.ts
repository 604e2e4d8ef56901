import type { PlacedLog, StoredReceipt } from '../../chain/view.ts'
import { blobBaseFeeOf } from '../../execution/blobFee.ts'
import { blobGasOf } from '../../execution/intrinsicGas.ts'
import type { Rules } from '../../forks/rules.ts'
import { createdAddress } from '../../types/createdAddress.ts'
import { txHash } from '../../types/encodeTx.ts'
import { senderOf } from '../../types/signTx.ts'
import { effectiveGasPriceOf } from '../../types/transaction.ts'
import { address, data, hash } from '../codecs/bytes.ts'
import { listEncoder } from '../codecs/list.ts'
import { nullable } from '../codecs/nullable.ts'
import { count, quantity } from '../codecs/quantity.ts'
import { record, sharedMembers } from '../codecs/record.ts'
import { receiptLogObject } from './log.ts'
import { type PlacedTx, shownTime } from './transaction.ts'

/** A receipt with its transaction. */
export interface PlacedReceipt extends PlacedTx {
  readonly receipt: StoredReceipt
  readonly rules: Rules
  /** Number of logs in the block before this transaction's. */
  readonly firstLogIndex: number
}

/** The logs of a receipt with their positions. */
export function placedLogs({ tx, block, index, receipt, firstLogIndex }: PlacedReceipt): PlacedLog[] {
  const { hash: blockHash, header } = block
  const blockPlace = { blockNumber: header.number, blockHash, blockTimestamp: shownTime(header) }
  const place = { ...blockPlace, txIndex: index, txHash: txHash(tx) }
  return receipt.logs.map((log, i) => ({ ...log, ...place, logIndex: firstLogIndex + i }))
}

/** The members of a receipt, in Besu's order. */
export const receiptMembers = sharedMembers<PlacedReceipt>((member) => [
  member('blockHash', hash, ({ block }) => block.hash),
  member('blockNumber', quantity, ({ block }) => block.header.number),
  member('contractAddress', nullable(address), ({ tx }) => createdAddress(tx)),
  member('cumulativeGasUsed', quantity, ({ receipt }) => receipt.cumulativeGasUsed),
  member('from', address, ({ tx }) => senderOf(tx)!),
  member('gasUsed', quantity, ({ receipt }) => receipt.gasUsed),
  member('effectiveGasPrice', quantity, ({ tx, block }) => effectiveGasPriceOf(tx, block.header.baseFee ?? 0n)),
  member('logs', listEncoder(receiptLogObject), placedLogs),
  member('logsBloom', data, ({ receipt }) => receipt.logsBloom),
  member.optional('root', hash, ({ receipt: { outcome } }) => (typeof outcome === 'number' ? undefined : outcome)),
  member.optional('status', count, ({ receipt: { outcome } }) => (typeof outcome === 'number' ? outcome : undefined)),
  member('to', nullable(address), ({ tx }) => tx.to),
  member('transactionHash', hash, ({ tx }) => txHash(tx)),
  member('transactionIndex', count, ({ index }) => index),
  member.optional('revertReason', data, ({ receipt }) => receipt.revertReason),
  member('type', count, ({ tx }) => tx.type),
  member.optional('blobGasUsed', quantity, ({ tx }) => (tx.type === 3 ? blobGasOf(tx) : undefined)),
  member.optional('blobGasPrice', quantity, ({ tx, block, rules }) =>
    tx.type === 3 ? blobBaseFeeOf(block.header, rules) : undefined,
  ),
])

/** A receipt. */
export const receiptObject = record<PlacedReceipt>('receipt', () => receiptMembers)
