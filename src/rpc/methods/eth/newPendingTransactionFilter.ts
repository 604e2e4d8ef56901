import { quantity } from '../../codecs/quantity.ts'
import { method } from '../../protocol/method.ts'

export const eth_newPendingTransactionFilter = method({
  name: 'eth_newPendingTransactionFilter',
  doc: 'Starts to collect hashes of transactions that enter the pool; the id to poll with.',
  needs: ['filters'],
  params: [],
  result: quantity,
  handler: ({ filters }) => filters.addPending(),
})
