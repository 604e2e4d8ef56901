import { count } from '../../codecs/quantity.ts'
import { method } from '../../protocol/method.ts'

export const eth_hashrate = method({
  name: 'eth_hashrate',
  doc: 'Hashes per second that the node computes to make blocks: none, for it makes no proof of work.',
  needs: [],
  params: [],
  result: count,
  handler: () => 0,
})
