import { count } from '../../codecs/quantity.ts'
import { method } from '../../protocol/method.ts'

/** The highest version of the eth protocol that peers can speak with this node. */
const ethVersion = 68

export const eth_protocolVersion = method({
  name: 'eth_protocolVersion',
  doc: 'Highest version of the eth wire protocol.',
  needs: [],
  params: [],
  result: count,
  handler: () => ethVersion,
})
