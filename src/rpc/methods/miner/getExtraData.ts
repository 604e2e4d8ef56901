import { data } from '../../codecs/bytes.ts'
import { method } from '../../protocol/method.ts'

/** Not in Besu 23.10. */
export const miner_getExtraData = method({
  name: 'miner_getExtraData',
  doc: 'Returns the extra data of new blocks.',
  needs: ['mining'],
  params: [],
  result: data,
  handler: ({ mining }) => mining.extraData(),
})
