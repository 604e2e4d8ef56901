import { toBase64 } from '../../privacy/enclave/base64.ts'
import type { FoundPrivateTx } from '../../privacy/privacy.ts'
import { privateSenderOf } from '../../privacy/sending/privateTx.ts'
import { address, data, hash } from '../codecs/bytes.ts'
import { listEncoder } from '../codecs/list.ts'
import { nullable } from '../codecs/nullable.ts'
import { quantity } from '../codecs/quantity.ts'
import { record } from '../codecs/record.ts'
import { text } from '../codecs/text.ts'

/** The recipients' keys of a transaction that names them; undefined if it names a group. */
export function recipientsOf({ tx }: Pick<FoundPrivateTx, 'tx'>): readonly string[] | undefined {
  return 'privateFor' in tx.recipients ? tx.recipients.privateFor.map(toBase64) : undefined
}

/** A private transaction; its hash is that of its marker. */
export const privateTransactionObject = record<FoundPrivateTx>('private transaction', (member) => [
  member('from', address, ({ tx }) => privateSenderOf(tx)!),
  member('gas', quantity, ({ tx }) => tx.gasLimit),
  member('gasPrice', quantity, ({ tx }) => tx.gasPrice),
  member('hash', hash, ({ marker }) => marker),
  member('input', data, ({ tx }) => tx.data),
  member('nonce', quantity, ({ tx }) => tx.nonce),
  member('to', nullable(address), ({ tx }) => tx.to),
  member('value', quantity, ({ tx }) => tx.value),
  member('v', quantity, ({ tx }) => tx.v),
  member('r', quantity, ({ tx }) => tx.r),
  member('s', quantity, ({ tx }) => tx.s),
  member('privateFrom', text, ({ tx }) => toBase64(tx.privateFrom)),
  member.optional('privateFor', listEncoder(text), recipientsOf),
  member.optional('privacyGroupId', text, ({ tx }) =>
    'privacyGroupId' in tx.recipients ? toBase64(tx.recipients.privacyGroupId) : undefined,
  ),
  member('restriction', text, ({ tx }) => tx.restriction),
])
