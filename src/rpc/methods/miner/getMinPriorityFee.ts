import { quantity } from '../../codecs/quantity.ts'
import { method } from '../../protocol/method.ts'

export const miner_getMinPriorityFee = method({
  name: 'miner_getMinPriorityFee',
  doc: 'Lowest priority fee for which a transaction enters made blocks.',
  needs: ['mining'],
  params: [],
  result: quantity,
  handler: ({ mining }) => mining.minPriorityFee(),
})
