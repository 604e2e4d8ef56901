import { boolean } from '../../codecs/boolean.ts'
import { hash } from '../../codecs/bytes.ts'
import { method, param } from '../../protocol/method.ts'

export const hardhat_dropTransaction = method({
  name: 'hardhat_dropTransaction',
  doc: 'Removes a transaction from the pool; returns false if it is not there.',
  needs: ['dev'],
  params: [param('hash', hash)],
  result: boolean,
  example: [`0x${'ab'.repeat(32)}`],
  handler: ({ dev }, [txHash]) => dev.drop(txHash),
})
