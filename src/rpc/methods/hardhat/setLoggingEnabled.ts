import { boolean } from '../../codecs/boolean.ts'
import { method, param } from '../../protocol/method.ts'

export const hardhat_setLoggingEnabled = method({
  name: 'hardhat_setLoggingEnabled',
  doc: 'Does nothing: --logging and admin_changeLogLevel set what the node logs.',
  needs: ['dev'],
  params: [param('on', boolean)],
  result: boolean,
  example: [true],
  handler: () => true,
})
