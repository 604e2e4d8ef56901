import { boolean } from '../../codecs/boolean.ts'
import { method } from '../../protocol/method.ts'

export const miner_stop = method({
  name: 'miner_stop',
  doc: 'Stops block production. Returns false if it was not running, or if the consensus does not allow it.',
  needs: ['mining'],
  params: [],
  result: boolean,
  handler: ({ mining }) => mining.stop(),
})
