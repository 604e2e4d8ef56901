import type { PoolStatistics } from '../../../pool/views.ts'
import { integer } from '../../codecs/integer.ts'
import { record } from '../../codecs/record.ts'
import { method } from '../../protocol/method.ts'

const statisticsObject = record<PoolStatistics>('pool statistics', (member) => [
  member('maxSize', integer, ({ maxSize }) => maxSize),
  member('localCount', integer, ({ localCount }) => localCount),
  member('remoteCount', integer, ({ remoteCount }) => remoteCount),
])

export const txpool_besuStatistics = method({
  name: 'txpool_besuStatistics',
  doc: 'Returns the number of local and remote transactions in the pool; maxSize is -1 if the pool is limited by memory.',
  needs: ['pool'],
  params: [],
  result: statisticsObject,
  handler: ({ pool }) => pool.statistics(),
})
