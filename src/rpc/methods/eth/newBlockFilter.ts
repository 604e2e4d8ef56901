import { quantity } from '../../codecs/quantity.ts'
import { method } from '../../protocol/method.ts'

export const eth_newBlockFilter = method({
  name: 'eth_newBlockFilter',
  doc: 'Creates a filter that collects hashes of new blocks. Returns its id.',
  needs: ['filters'],
  params: [],
  result: quantity,
  errors: [[-32005, 'There are too many filters.']],
  handler: ({ filters }) => filters.addBlocks(),
})
