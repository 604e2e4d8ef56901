import { boolean } from '../../codecs/boolean.ts'
import { data, hash } from '../../codecs/bytes.ts'
import { method, param } from '../../protocol/method.ts'

export const eth_submitWork = method({
  name: 'eth_submitWork',
  doc: 'Always returns false: the node does not mine by proof of work.',
  needs: [],
  params: [param('nonce', data), param('powHash', hash), param('mixHash', hash)],
  result: boolean,
  example: ['0x0000000000000001', `0x${'12'.repeat(32)}`, `0x${'34'.repeat(32)}`],
  handler: () => false,
})
