import { minerDataOf } from '../../blocks/minerData.ts'
import { hash } from '../../codecs/bytes.ts'
import { nullable } from '../../codecs/nullable.ts'
import { minerDataObject } from '../../objects/minerData.ts'
import { method, param } from '../../protocol/method.ts'

export const eth_getMinerDataByBlockHash = method({
  name: 'eth_getMinerDataByBlockHash',
  doc: 'What the producer of the block of a hash earned by it; null when there is no such block.',
  needs: ['chain', 'evms'],
  params: [param('hash', hash)],
  result: nullable(minerDataObject),
  example: [`0x${'ab'.repeat(32)}`],
  handler(ports, [blockHash]) {
    const found = ports.chain.headerBy(blockHash)
    return found && minerDataOf(ports, found.hash)
  },
})
