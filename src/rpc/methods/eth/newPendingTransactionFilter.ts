import { quantity } from '../../codecs/quantity.ts'
import { method } from '../../protocol/method.ts'

export const eth_newPendingTransactionFilter = method({
  name: 'eth_newPendingTransactionFilter',
  doc: 'Creates a filter that collects hashes of new transactions in the pool. Returns its id.',
  needs: ['filters'],
  params: [],
  result: quantity,
  errors: [[-32005, 'There are too many filters.']],
  handler: ({ filters }) => filters.addPending(),
})
