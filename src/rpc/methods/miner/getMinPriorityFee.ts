import { quantity } from '../../codecs/quantity.ts'
import { method } from '../../protocol/method.ts'

export const miner_getMinPriorityFee = method({
  name: 'miner_getMinPriorityFee',
  doc: 'Returns the minimum priority fee of transactions included in new blocks, in wei.',
  needs: ['mining'],
  params: [],
  result: quantity,
  handler: ({ mining }) => mining.minPriorityFee(),
})
