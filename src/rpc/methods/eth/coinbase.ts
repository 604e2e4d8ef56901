import { address } from '../../codecs/bytes.ts'
import { RpcError } from '../../protocol/fault.ts'
import { method } from '../../protocol/method.ts'

export const eth_coinbase = method({
  name: 'eth_coinbase',
  doc: "Returns the account that receives the fees of this node's blocks.",
  needs: ['mining'],
  params: [],
  result: address,
  errors: [[-32000, 'No coinbase is set.']],
  handler({ mining }) {
    const coinbase = mining.coinbase()
    if (!coinbase) throw new RpcError({ code: 'COINBASE_NOT_SET' })
    return coinbase
  },
})
