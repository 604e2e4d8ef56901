import { boolean } from '../../codecs/boolean.ts'
import { method } from '../../protocol/method.ts'

export const net_listening = method({
  name: 'net_listening',
  doc: 'Returns whether the node listens for peers.',
  needs: ['peers'],
  params: [],
  result: boolean,
  handler: ({ peers }) => peers?.isListening() ?? false,
})
