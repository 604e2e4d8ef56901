import { boolean } from '../../codecs/boolean.ts'
import { wei } from '../../codecs/quantity.ts'
import { method, param } from '../../protocol/method.ts'

export const hardhat_setNextBlockBaseFeePerGas = method({
  name: 'hardhat_setNextBlockBaseFeePerGas',
  doc: 'Sets the base fee of the next block.',
  needs: ['dev'],
  params: [param('wei', wei)],
  result: boolean,
  example: ['0x3b9aca00'],
  handler({ dev }, [baseFee]) {
    dev.setNextBaseFee(baseFee)
    return true
  },
})
