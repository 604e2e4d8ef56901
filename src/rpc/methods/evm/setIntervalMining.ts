import { boolean } from '../../codecs/boolean.ts'
import { index } from '../../codecs/integer.ts'
import { method, param } from '../../protocol/method.ts'

export const evm_setIntervalMining = method({
  name: 'evm_setIntervalMining',
  doc: 'Makes a block every so many milliseconds, whether or not a transaction is pending; 0 stops that.',
  needs: ['dev'],
  params: [param('milliseconds', index)],
  result: boolean,
  example: [0],
  handler({ dev }, [milliseconds]) {
    dev.setIntervalMining(milliseconds)
    return true
  },
})
