import { findHeader } from '../../blocks/resolveBlock.ts'
import { anyBlockNumber } from '../../codecs/blockRef.ts'
import { nullable } from '../../codecs/nullable.ts'
import { count } from '../../codecs/quantity.ts'
import { tagErrors } from '../../protocol/errorDocs.ts'
import { method, param } from '../../protocol/method.ts'

export const eth_getBlockTransactionCountByNumber = method({
  name: 'eth_getBlockTransactionCountByNumber',
  doc: 'Returns the number of transactions of a block by number; null if there is none.',
  needs: ['chain'],
  params: [param('block', anyBlockNumber)],
  result: nullable(count),
  errors: tagErrors,
  example: ['latest'],
  handler({ chain }, [block]) {
    const found = findHeader(chain, block)
    const body = found && chain.body(found.hash)
    return body?.transactions.length
  },
})
