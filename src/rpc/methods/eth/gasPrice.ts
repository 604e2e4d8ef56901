import { gasPriceToOffer } from '../../../query/prices.ts'
import { quantity } from '../../codecs/quantity.ts'
import { method } from '../../protocol/method.ts'

export const eth_gasPrice = method({
  name: 'eth_gasPrice',
  doc: 'Gas price to offer: a percentile of what transactions of recent blocks offered, within the bounds of this node.',
  needs: ['chain', 'limits', 'mining'],
  params: [],
  result: quantity,
  handler: ({ chain, limits, mining }) => gasPriceToOffer(chain, limits.gasPrice, mining.minGasPrice()),
})
