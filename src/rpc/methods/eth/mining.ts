import { boolean } from '../../codecs/boolean.ts'
import { method } from '../../protocol/method.ts'

export const eth_mining = method({
  name: 'eth_mining',
  doc: 'Returns whether the node makes blocks.',
  needs: ['mining'],
  params: [],
  result: boolean,
  handler: ({ mining }) => mining.isMining(),
})
