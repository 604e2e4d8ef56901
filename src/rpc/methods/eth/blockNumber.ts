import { quantity } from '../../codecs/quantity.ts'
import { method } from '../../protocol/method.ts'

export const eth_blockNumber = method({
  name: 'eth_blockNumber',
  doc: 'Returns the number of the latest block.',
  needs: ['chain'],
  params: [],
  result: quantity,
  handler: ({ chain }) => chain.head.header.number,
})
