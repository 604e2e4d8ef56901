import { hash } from '../../codecs/bytes.ts'
import { nullable } from '../../codecs/nullable.ts'
import { count } from '../../codecs/quantity.ts'
import { method, param } from '../../protocol/method.ts'

export const eth_getUncleCountByBlockHash = method({
  name: 'eth_getUncleCountByBlockHash',
  doc: 'Returns the number of uncles of a block by hash; null if the block is unknown.',
  needs: ['chain'],
  params: [param('hash', hash)],
  result: nullable(count),
  example: [`0x${'ab'.repeat(32)}`],
  handler({ chain }, [blockHash]) {
    const body = chain.body(blockHash)
    return body?.ommers.length
  },
})
