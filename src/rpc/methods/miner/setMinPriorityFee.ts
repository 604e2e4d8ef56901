import { boolean } from '../../codecs/boolean.ts'
import { explainedWei } from '../../codecs/explainedWei.ts'
import { method } from '../../protocol/method.ts'

export const miner_setMinPriorityFee = method({
  name: 'miner_setMinPriorityFee',
  doc: 'Sets the minimum priority fee of transactions included in new blocks.',
  needs: ['mining'],
  params: [explainedWei],
  result: boolean,
  example: ['0x3e8'],
  handler({ mining }, [wei]) {
    mining.setMinPriorityFee(wei)
    return true
  },
})
