import { hash } from '../../codecs/bytes.ts'
import { nullable } from '../../codecs/nullable.ts'
import { blockDetailsObject, blockDetailsOf } from '../../objects/blockDetails.ts'
import { method, param } from '../../protocol/method.ts'

export const ots_getBlockDetailsByHash = method({
  name: 'ots_getBlockDetailsByHash',
  doc: 'Returns a block by hash as ots_getBlockDetails does; null if it is unknown.',
  needs: ['chain', 'evms'],
  params: [param('hash', hash)],
  result: nullable(blockDetailsObject),
  example: [`0x${'ab'.repeat(32)}`],
  handler: (ports, [wanted]) => blockDetailsOf(ports, ports.chain.headerBy(wanted)),
})
