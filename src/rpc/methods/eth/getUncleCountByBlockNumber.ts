import { findHeader } from '../../blocks/resolveBlock.ts'
import { blockNumber } from '../../codecs/blockRef.ts'
import { nullable } from '../../codecs/nullable.ts'
import { count } from '../../codecs/quantity.ts'
import { tagErrors } from '../../protocol/errorDocs.ts'
import { method, param } from '../../protocol/method.ts'

export const eth_getUncleCountByBlockNumber = method({
  name: 'eth_getUncleCountByBlockNumber',
  doc: 'Returns the number of uncles of a block by number; null if there is no such block.',
  needs: ['chain'],
  params: [param('block', blockNumber)],
  result: nullable(count),
  errors: tagErrors,
  example: ['latest'],
  handler({ chain }, [block]) {
    const found = findHeader(chain, block)
    const body = found && chain.body(found.hash)
    return body?.ommers.length
  },
})
