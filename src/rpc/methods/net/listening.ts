import { boolean } from '../../codecs/boolean.ts'
import { method } from '../../protocol/method.ts'

export const net_listening = method({
  name: 'net_listening',
  doc: 'Whether the node takes connections from peers.',
  needs: ['peers'],
  params: [],
  result: boolean,
  handler: ({ peers }) => peers?.isListening() ?? false,
})
