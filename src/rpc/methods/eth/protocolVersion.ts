import { maxEthVersion } from '../../../net/eth/messages.ts'
import { count } from '../../codecs/quantity.ts'
import { method } from '../../protocol/method.ts'

export const eth_protocolVersion = method({
  name: 'eth_protocolVersion',
  doc: 'Highest version of the eth wire protocol.',
  needs: [],
  params: [],
  result: count,
  handler: () => maxEthVersion,
})
