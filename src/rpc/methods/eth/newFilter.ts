import { filterOptions } from '../../codecs/filterOptions.ts'
import { quantity } from '../../codecs/quantity.ts'
import { method, param } from '../../protocol/method.ts'

export const eth_newFilter = method({
  name: 'eth_newFilter',
  doc: 'Creates a filter that collects matching logs of new blocks. Returns its id. Filters expire after ten minutes without a poll (`--rpc-filter-timeout-seconds`).',
  needs: ['filters'],
  params: [param('filter', filterOptions)],
  result: quantity,
  errors: [[-32005, 'There are too many filters.']],
  example: [{ fromBlock: 'latest', toBlock: 'latest', topics: [] }],
  handler: ({ filters }, [options]) => filters.addLogs(options),
})
