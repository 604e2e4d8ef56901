import { quantity } from '../../codecs/quantity.ts'
import { method } from '../../protocol/method.ts'

export const eth_newBlockFilter = method({
  name: 'eth_newBlockFilter',
  doc: 'Starts to collect hashes of new blocks; the id to poll with.',
  needs: ['filters'],
  params: [],
  result: quantity,
  handler: ({ filters }) => filters.addBlocks(),
})
