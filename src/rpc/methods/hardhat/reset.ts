import { boolean } from '../../codecs/boolean.ts'
import { nothingToFork } from '../../codecs/mineOptions.ts'
import { method, optionalParam } from '../../protocol/method.ts'

export const hardhat_reset = method({
  name: 'hardhat_reset',
  doc: 'Goes back to the genesis block and the settings of a new chain.',
  needs: ['dev'],
  params: [optionalParam('forking', nothingToFork)],
  result: boolean,
  example: [],
  handler({ dev }) {
    dev.reset()
    return true
  },
})
