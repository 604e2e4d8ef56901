import { findHeader } from '../../blocks/resolveBlock.ts'
import { blockNumber } from '../../codecs/blockRef.ts'
import { nullable } from '../../codecs/nullable.ts'
import { blockDetailsObject, blockDetailsOf } from '../../objects/blockDetails.ts'
import { tagErrors } from '../../protocol/errorDocs.ts'
import { method, param } from '../../protocol/method.ts'

export const ots_getBlockDetails = method({
  name: 'ots_getBlockDetails',
  doc: 'Returns a block by number without its transactions, with their count, what the block issued and the fees that were paid; null if there is none.',
  needs: ['chain', 'evms'],
  params: [param('block', blockNumber)],
  result: nullable(blockDetailsObject),
  errors: tagErrors,
  example: ['latest'],
  handler: (ports, [block]) => blockDetailsOf(ports, findHeader(ports.chain, block)),
})
