import { boolean } from '../../codecs/boolean.ts'
import { method, param } from '../../protocol/method.ts'

export const evm_setAutomine = method({
  name: 'evm_setAutomine',
  doc: 'Sets whether a block is made as soon as a transaction arrives.',
  needs: ['dev'],
  params: [param('on', boolean)],
  result: boolean,
  example: [true],
  handler({ dev }, [on]) {
    dev.setAutomine(on)
    return true
  },
})
