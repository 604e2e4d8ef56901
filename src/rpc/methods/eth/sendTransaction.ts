import { nothing } from '../../codecs/nullable.ts'
import { RpcError } from '../../protocol/fault.ts'
import { method } from '../../protocol/method.ts'

export const eth_sendTransaction = method({
  name: 'eth_sendTransaction',
  doc: 'Always an error: the node holds no keys to sign with. Use eth_sendRawTransaction.',
  needs: [],
  params: [],
  result: nothing,
  errors: [[-32604, 'Not supported.']],
  handler() {
    throw new RpcError({ code: 'SEND_TRANSACTION_UNSUPPORTED' })
  },
})
