import { maxEthVersion } from '../../../net/eth/messages.ts'
import { count } from '../../codecs/quantity.ts'
import { method } from '../../protocol/method.ts'

export const eth_protocolVersion = method({
  name: 'eth_protocolVersion',
  doc: 'Returns the highest supported version of the eth protocol.',
  needs: [],
  params: [],
  result: count,
  handler: () => maxEthVersion,
})
