import { gasPriceToOffer } from '../../../query/prices.ts'
import { quantity } from '../../codecs/quantity.ts'
import { method } from '../../protocol/method.ts'

export const eth_gasPrice = method({
  name: 'eth_gasPrice',
  doc: 'Returns a suggested gas price in wei: a percentile of the gas prices in recent blocks, within the limits of this node.',
  needs: ['chain', 'limits', 'mining'],
  params: [],
  result: quantity,
  handler: ({ chain, limits, mining }) => gasPriceToOffer(chain, limits.gasPrice, mining.minGasPrice()),
})
