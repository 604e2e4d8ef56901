import { findHeader } from '../../blocks/resolveBlock.ts'
import { blockNumber } from '../../codecs/blockRef.ts'
import { nullable } from '../../codecs/nullable.ts'
import { count } from '../../codecs/quantity.ts'
import { tagErrors } from '../../protocol/errorDocs.ts'
import { method, param } from '../../protocol/method.ts'

export const eth_getUncleCountByBlockNumber = method({
  name: 'eth_getUncleCountByBlockNumber',
  doc: 'Number of uncles in the block of a number; null when there is none.',
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
