import { minedBySender } from '../../blocks/minedBySender.ts'
import { address } from '../../codecs/bytes.ts'
import { nullable } from '../../codecs/nullable.ts'
import { quantity } from '../../codecs/quantity.ts'
import { anyTransactionObject } from '../../objects/anyTransaction.ts'
import { stateErrors } from '../../protocol/errorDocs.ts'
import { method, param } from '../../protocol/method.ts'

/** Not in Besu 23.10. The history of nonces shows the block, so that no index is needed. */
export const eth_getTransactionBySenderAndNonce = method({
  name: 'eth_getTransactionBySenderAndNonce',
  doc: 'Returns the transaction that an account sent with a nonce, from the pool or the canonical chain; null if there is none.',
  needs: ['chain', 'pool'],
  params: [param('sender', address), param('nonce', quantity)],
  fixedCount: true,
  result: nullable(anyTransactionObject),
  errors: stateErrors,
  example: ['0xfe3b557e8fb62b89f4916b721be55ceb828dbd73', '0x0'],
  handler({ chain, pool }, [sender, nonce]) {
    const content = pool.contentOf(sender)
    const waiting = content && [...content.pending, ...content.queued].find(({ tx }) => tx.nonce === nonce)
    return waiting ?? minedBySender(chain, sender, nonce)
  },
})
