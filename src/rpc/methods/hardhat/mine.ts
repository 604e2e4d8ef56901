import { boolean } from '../../codecs/boolean.ts'
import { index } from '../../codecs/integer.ts'
import { quantity } from '../../codecs/quantity.ts'
import { devErrors } from '../../protocol/errorDocs.ts'
import { method, optionalParam, param } from '../../protocol/method.ts'

export const hardhat_mine = method({
  name: 'hardhat_mine',
  doc: 'Makes a number of blocks, with an interval between their timestamps in seconds.',
  needs: ['dev'],
  params: [param('blocks', index, { value: 1 }), optionalParam('interval', quantity)],
  result: boolean,
  errors: devErrors,
  example: ['0x2', '0x3c'],
  async handler({ dev }, [blocks, interval]) {
    await dev.mine({ blocks, interval })
    return true
  },
})
