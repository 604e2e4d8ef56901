import { nothing } from '../../codecs/nullable.ts'
import { RpcError } from '../../protocol/fault.ts'
import { method } from '../../protocol/method.ts'

export const eth_sendTransaction = method({
  name: 'eth_sendTransaction',
  doc: 'Always returns an error: the node does not manage accounts. Use eth_sendRawTransaction.',
  needs: [],
  params: [],
  result: nothing,
  errors: [[-32604, 'Not supported.']],
  handler() {
    throw new RpcError({ code: 'SEND_TRANSACTION_UNSUPPORTED' })
  },
})
