import { quantity } from '../../codecs/quantity.ts'
import { method } from '../../protocol/method.ts'

export const eth_chainId = method({
  name: 'eth_chainId',
  doc: 'Chain id, which transactions are signed for.',
  needs: ['chain'],
  params: [],
  result: quantity,
  handler: ({ chain }) => chain.spec.chainId,
})
