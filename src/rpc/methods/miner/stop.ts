import { boolean } from '../../codecs/boolean.ts'
import { method } from '../../protocol/method.ts'

export const miner_stop = method({
  name: 'miner_stop',
  doc: 'Stops making blocks; false when the node made none, or its engine cannot stop.',
  needs: ['mining'],
  params: [],
  result: boolean,
  handler: ({ mining }) => mining.stop(),
})
