import { boolean } from '../../codecs/boolean.ts'
import { data } from '../../codecs/bytes.ts'
import { wei } from '../../codecs/quantity.ts'
import { method, param } from '../../protocol/method.ts'

export const eth_submitHashrate = method({
  name: 'eth_submitHashrate',
  doc: 'Always returns false: the node does not mine by proof of work.',
  needs: [],
  params: [param('hashrate', wei), param('id', data)],
  result: boolean,
  example: ['0x1', `0x${'12'.repeat(32)}`],
  handler: () => false,
})
