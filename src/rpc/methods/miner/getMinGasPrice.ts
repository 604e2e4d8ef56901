import { quantity } from '../../codecs/quantity.ts'
import { method } from '../../protocol/method.ts'

export const miner_getMinGasPrice = method({
  name: 'miner_getMinGasPrice',
  doc: 'Lowest gas price that is accepted and suggested.',
  needs: ['mining'],
  params: [],
  result: quantity,
  handler: ({ mining }) => mining.minGasPrice(),
})
