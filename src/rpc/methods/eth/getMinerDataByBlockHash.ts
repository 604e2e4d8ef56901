import { minerDataOf } from '../../blocks/minerData.ts'
import { hash } from '../../codecs/bytes.ts'
import { nullable } from '../../codecs/nullable.ts'
import { minerDataObject } from '../../objects/minerData.ts'
import { method, param } from '../../protocol/method.ts'

export const eth_getMinerDataByBlockHash = method({
  name: 'eth_getMinerDataByBlockHash',
  doc: 'Returns the rewards and fees that the producer of a block earned, by block hash; null if the block is unknown.',
  needs: ['chain', 'evms'],
  params: [param('hash', hash)],
  result: nullable(minerDataObject),
  example: [`0x${'ab'.repeat(32)}`],
  alike: () => '',
  handler(ports, [blockHash]) {
    const found = ports.chain.headerBy(blockHash)
    return found && minerDataOf(ports, found.hash)
  },
})
