import { boolean } from '../../codecs/boolean.ts'
import { method } from '../../protocol/method.ts'

export const hardhat_getAutomine = method({
  name: 'hardhat_getAutomine',
  doc: 'Returns whether a block is made as soon as a transaction arrives.',
  needs: ['dev'],
  params: [],
  result: boolean,
  example: [],
  handler: ({ dev }) => dev.isAutomine(),
})
