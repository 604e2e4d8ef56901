import { minerDataOf } from '../../blocks/minerData.ts'
import { findHeader } from '../../blocks/resolveBlock.ts'
import { blockNumber } from '../../codecs/blockRef.ts'
import { nullable } from '../../codecs/nullable.ts'
import { minerDataObject } from '../../objects/minerData.ts'
import { tagErrors } from '../../protocol/errorDocs.ts'
import { method, param } from '../../protocol/method.ts'

export const eth_getMinerDataByBlockNumber = method({
  name: 'eth_getMinerDataByBlockNumber',
  doc: 'Returns the rewards and fees that the producer of a block earned, by block number; null if there is no such block.',
  needs: ['chain', 'evms'],
  params: [param('block', blockNumber)],
  result: nullable(minerDataObject),
  errors: tagErrors,
  example: ['latest'],
  alike: () => '',
  handler(ports, [block]) {
    const found = findHeader(ports.chain, block)
    return found && minerDataOf(ports, found.hash)
  },
})
