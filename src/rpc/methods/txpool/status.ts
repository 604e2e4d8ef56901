import type { PoolStatistics } from '../../../pool/views.ts'
import { count } from '../../codecs/quantity.ts'
import { record } from '../../codecs/record.ts'
import { method } from '../../protocol/method.ts'

const statusObject = record<PoolStatistics>('pool status', (member) => [
  member('pending', count, ({ pendingCount }) => pendingCount),
  member('queued', count, ({ queuedCount }) => queuedCount),
])

/** As in geth. */
export const txpool_status = method({
  name: 'txpool_status',
  doc: 'Returns the number of executable transactions (pending) and of those after a nonce gap (queued).',
  needs: ['pool'],
  params: [],
  result: statusObject,
  handler: ({ pool }) => pool.statistics(),
})
