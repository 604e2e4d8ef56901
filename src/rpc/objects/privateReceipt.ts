import type { PlacedLog } from '../../chain/view.ts'
import type { Address } from '../../primitives/bytes.ts'
import { toBase64 } from '../../privacy/enclave/base64.ts'
import { privateContractAddress } from '../../privacy/enclave/groupId.ts'
import type { PrivateReceipt } from '../../privacy/execution/privateReceipts.ts'
import type { FoundPrivateTx } from '../../privacy/privacy.ts'
import { privateSenderOf } from '../../privacy/sending/privateTx.ts'
import { bloomOf } from '../../types/bloom.ts'
import { address, data, hash } from '../codecs/bytes.ts'
import { listEncoder } from '../codecs/list.ts'
import { nullable } from '../codecs/nullable.ts'
import { count } from '../codecs/quantity.ts'
import { record } from '../codecs/record.ts'
import { text } from '../codecs/text.ts'
import { receiptLogObject } from './log.ts'
import { recipientsOf } from './privateTransaction.ts'

/** A private transaction with its result. */
export interface FoundReceipt extends FoundPrivateTx {
  readonly receipt: PrivateReceipt
}

/** Also of creations that failed. */
function createdBy({ tx, group }: FoundReceipt): Address | undefined {
  return tx.to ? undefined : privateContractAddress(privateSenderOf(tx)!, tx.nonce, group)
}

/** Logs are counted from 0 in each receipt. */
function placedLogs({ at, marker, receipt }: FoundReceipt): PlacedLog[] {
  const place = { blockNumber: BigInt(at.number), blockHash: at.hash, txIndex: at.index, txHash: marker }
  return receipt.logs.map((log, logIndex) => ({ ...log, ...place, logIndex }))
}

/** The receipt of a private transaction, by the place of its marker. */
export const privateReceiptObject = record<FoundReceipt>('private receipt', (member) => [
  member('contractAddress', nullable(address), createdBy),
  member('from', address, ({ tx }) => privateSenderOf(tx)!),
  member('output', data, ({ receipt }) => receipt.output),
  member('commitmentHash', hash, ({ marker }) => marker),
  member('transactionHash', hash, ({ marker }) => marker),
  member('privateFrom', text, ({ tx }) => toBase64(tx.privateFrom)),
  member.optional('privateFor', listEncoder(text), recipientsOf),
  member('privacyGroupId', text, ({ group }) => toBase64(group)),
  member.optional('revertReason', data, ({ receipt }) => receipt.revertReason),
  member('status', count, ({ receipt }) => receipt.status),
  member('logs', listEncoder(receiptLogObject), placedLogs),
  member('logsBloom', data, ({ receipt }) => bloomOf(receipt.logs)),
  member('blockHash', hash, ({ at }) => at.hash),
  member('blockNumber', count, ({ at }) => at.number),
  member('transactionIndex', count, ({ at }) => at.index),
  member('to', nullable(address), ({ tx }) => tx.to),
])
