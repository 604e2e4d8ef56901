import { address } from '../../codecs/bytes.ts'
import { listEncoder } from '../../codecs/list.ts'
import { method } from '../../protocol/method.ts'

export const eth_accounts = method({
  name: 'eth_accounts',
  doc: 'Returns an empty list: the node does not manage accounts.',
  needs: [],
  params: [],
  result: listEncoder(address),
  handler: () => [],
})
