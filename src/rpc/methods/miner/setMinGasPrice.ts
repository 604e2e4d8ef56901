import { boolean } from '../../codecs/boolean.ts'
import { explainedWei } from '../../codecs/explainedWei.ts'
import { method } from '../../protocol/method.ts'

export const miner_setMinGasPrice = method({
  name: 'miner_setMinGasPrice',
  doc: 'Sets the minimum gas price of accepted transactions.',
  needs: ['mining'],
  params: [explainedWei],
  result: boolean,
  example: ['0x3e8'],
  handler({ mining }, [wei]) {
    mining.setMinGasPrice(wei)
    return true
  },
})
