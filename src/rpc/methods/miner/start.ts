import { boolean } from '../../codecs/boolean.ts'
import { RpcError } from '../../protocol/fault.ts'
import { method } from '../../protocol/method.ts'

export const miner_start = method({
  name: 'miner_start',
  doc: 'Starts block production, unless it runs already; returns false if the node cannot produce blocks.',
  needs: ['mining'],
  params: [],
  result: boolean,
  errors: [[-32010, 'No coinbase is set.']],
  handler({ mining }) {
    if (!mining.coinbase()) throw new RpcError({ code: 'COINBASE_REQUIRED' })
    return mining.start()
  },
})
