import { boolean } from '../../codecs/boolean.ts'
import { address } from '../../codecs/bytes.ts'
import { RpcError } from '../../protocol/fault.ts'
import { method, param } from '../../protocol/method.ts'

export const miner_setCoinbase = method({
  name: 'miner_setCoinbase',
  doc: 'Sets the account that receives block rewards and fees.',
  needs: ['mining'],
  params: [param('address', address)],
  result: boolean,
  errors: [[-32600, 'The consensus of this network determines the beneficiary.']],
  example: ['0xfe3b557e8fb62b89f4916b721be55ceb828dbd73'],
  handler({ mining }, [coinbase]) {
    if (!mining.setCoinbase) throw new RpcError({ code: 'INVALID_REQUEST' })
    mining.setCoinbase(coinbase)
    return true
  },
})
