import { quantity } from '../../codecs/quantity.ts'
import { method } from '../../protocol/method.ts'

export const miner_getMinGasPrice = method({
  name: 'miner_getMinGasPrice',
  doc: 'Returns the minimum gas price of accepted transactions, in wei.',
  needs: ['mining'],
  params: [],
  result: quantity,
  handler: ({ mining }) => mining.minGasPrice(),
})
