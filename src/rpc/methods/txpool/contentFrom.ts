import type { SenderContent } from '../../../pool/views.ts'
import { address } from '../../codecs/bytes.ts'
import { record } from '../../codecs/record.ts'
import { byNonce, entriesByNonce } from '../../objects/entriesByNonce.ts'
import { method, param } from '../../protocol/method.ts'

const contentObject = record<Pick<SenderContent, 'pending' | 'queued'>>('sender content', (member) => [
  member('pending', entriesByNonce, ({ pending }) => byNonce(pending)),
  member('queued', entriesByNonce, ({ queued }) => byNonce(queued)),
])

/** As in geth. */
export const txpool_contentFrom = method({
  name: 'txpool_contentFrom',
  doc: 'Returns the transactions of a sender in the pool by nonce, pending and queued.',
  needs: ['pool'],
  params: [param('address', address)],
  result: contentObject,
  example: ['0xfe3b557e8fb62b89f4916b721be55ceb828dbd73'],
  handler: ({ pool }, [sender]) => pool.contentOf(sender) ?? { pending: [], queued: [] },
})
