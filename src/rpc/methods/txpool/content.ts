import { toHex } from '../../../primitives/hex.ts'
import { dictionary, record } from '../../codecs/record.ts'
import { type ByNonce, byNonce, entriesByNonce } from '../../objects/entriesByNonce.ts'
import { method } from '../../protocol/method.ts'

type BySender = ReadonlyMap<string, ByNonce>

const contentObject = record<{ pending: BySender; queued: BySender }>('pool content', (member) => [
  member('pending', dictionary(entriesByNonce), ({ pending }) => pending),
  member('queued', dictionary(entriesByNonce), ({ queued }) => queued),
])

/** As in geth. */
export const txpool_content = method({
  name: 'txpool_content',
  doc: 'Returns all transactions in the pool by sender and nonce: executable ones (pending), and those after a nonce gap (queued).',
  needs: ['pool'],
  params: [],
  result: contentObject,
  handler({ pool }) {
    const pending = new Map<string, ByNonce>()
    const queued = new Map<string, ByNonce>()
    for (const content of pool.content()) {
      if (content.pending.length) pending.set(toHex(content.sender), byNonce(content.pending))
      if (content.queued.length) queued.set(toHex(content.sender), byNonce(content.queued))
    }
    return { pending, queued }
  },
})
