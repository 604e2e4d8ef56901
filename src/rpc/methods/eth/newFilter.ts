import { filterOptions } from '../../codecs/filterOptions.ts'
import { quantity } from '../../codecs/quantity.ts'
import { method, param } from '../../protocol/method.ts'

export const eth_newFilter = method({
  name: 'eth_newFilter',
  doc: 'Starts to collect logs that fit; the id to poll with. A filter ends after ten minutes without a poll.',
  needs: ['filters'],
  params: [param('filter', filterOptions)],
  result: quantity,
  example: [{ fromBlock: 'latest', toBlock: 'latest', topics: [] }],
  handler: ({ filters }, [options]) => filters.addLogs(options),
})
