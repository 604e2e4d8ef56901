import { boolean } from '../../codecs/boolean.ts'
import { method } from '../../protocol/method.ts'

export const miner_stop = method({
  name: 'miner_stop',
  doc: 'Stops block production. Returns false with Clique, though it stops, and with IBFT 2.0 and QBFT, which do not stop.',
  needs: ['mining'],
  params: [],
  result: boolean,
  handler: ({ mining }) => mining.stop(),
})
