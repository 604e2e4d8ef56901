import { integer } from '../../codecs/integer.ts'
import { text } from '../../codecs/text.ts'
import { RpcError } from '../../protocol/fault.ts'
import { method, param } from '../../protocol/method.ts'

export const miner_changeTargetGasLimit = method({
  name: 'miner_changeTargetGasLimit',
  doc: 'Sets the gas limit that made blocks move towards; `Success`.',
  needs: ['mining'],
  params: [param('gasLimit', integer)],
  result: text,
  errors: [[-32011, 'The node does not move towards a gas limit, or not towards this one.']],
  example: [30000000],
  handler({ mining }, [gasLimit]) {
    if (gasLimit < 0 || !mining.setTargetGasLimit(BigInt(gasLimit)))
      throw new RpcError({ code: 'TARGET_GAS_LIMIT_UNSET' })
    return 'Success'
  },
})
