import { quantity } from '../../codecs/quantity.ts'
import { method } from '../../protocol/method.ts'

export const eth_chainId = method({
  name: 'eth_chainId',
  doc: 'Returns the chain id, for which transactions are signed.',
  needs: ['chain'],
  params: [],
  result: quantity,
  handler: ({ chain }) => chain.spec.chainId,
})
