import { hash } from '../../codecs/bytes.ts'
import { nullable } from '../../codecs/nullable.ts'
import { count } from '../../codecs/quantity.ts'
import { method, param } from '../../protocol/method.ts'

export const eth_getBlockTransactionCountByHash = method({
  name: 'eth_getBlockTransactionCountByHash',
  doc: 'Number of transactions in the block of a hash; null when there is none.',
  needs: ['chain'],
  params: [param('hash', hash)],
  result: nullable(count),
  example: [`0x${'ab'.repeat(32)}`],
  handler({ chain }, [blockHash]) {
    const body = chain.body(blockHash)
    return body?.transactions.length
  },
})
