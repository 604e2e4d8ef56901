import { count } from '../../codecs/quantity.ts'
import { method } from '../../protocol/method.ts'

export const eth_hashrate = method({
  name: 'eth_hashrate',
  doc: 'Always returns 0: the node does not mine by proof of work.',
  needs: [],
  params: [],
  result: count,
  handler: () => 0,
})
