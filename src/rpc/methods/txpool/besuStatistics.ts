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
  doc: 'How many transactions the pool holds, by where they came from; maxSize is -1 where memory is the limit.',
  needs: ['pool'],
  params: [],
  result: statisticsObject,
  handler: ({ pool }) => pool.statistics(),
})
