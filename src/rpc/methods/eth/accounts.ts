import { address } from '../../codecs/bytes.ts'
import { listEncoder } from '../../codecs/list.ts'
import { method } from '../../protocol/method.ts'

export const eth_accounts = method({
  name: 'eth_accounts',
  doc: 'Accounts that the node holds keys of: none, for keys are kept outside of the node.',
  needs: [],
  params: [],
  result: listEncoder(address),
  handler: () => [],
})
