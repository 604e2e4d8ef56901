import { integer } from '../../codecs/integer.ts'
import { text } from '../../codecs/text.ts'
import { RpcError } from '../../protocol/fault.ts'
import { method, param } from '../../protocol/method.ts'

export const miner_changeTargetGasLimit = method({
  name: 'miner_changeTargetGasLimit',
  doc: 'Sets the gas limit that new blocks move towards. Returns `Success`.',
  needs: ['mining'],
  params: [param('gasLimit', integer)],
  result: text,
  errors: [[-32011, 'The node was started without a target gas limit, or this one is invalid.']],
  example: [30000000],
  handler({ mining }, [gasLimit]) {
    if (gasLimit < 0 || !mining.setTargetGasLimit(BigInt(gasLimit)))
      throw new RpcError({ code: 'TARGET_GAS_LIMIT_UNSET' })
    return 'Success'
  },
})
