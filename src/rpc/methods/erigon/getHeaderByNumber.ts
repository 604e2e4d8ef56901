import { findHeader } from '../../blocks/resolveBlock.ts'
import { showHeader } from '../../blocks/showHeader.ts'
import { blockNumber } from '../../codecs/blockRef.ts'
import { nullable } from '../../codecs/nullable.ts'
import { headerObject } from '../../objects/header.ts'
import { tagErrors } from '../../protocol/errorDocs.ts'
import { method, param } from '../../protocol/method.ts'

export const erigon_getHeaderByNumber = method({
  name: 'erigon_getHeaderByNumber',
  doc: 'Returns the header of a block by number, as eth_getHeaderByNumber does; Otterscan asks for it by this name.',
  needs: ['chain'],
  params: [param('block', blockNumber)],
  result: nullable(headerObject),
  errors: tagErrors,
  example: ['latest'],
  handler({ chain }, [block]) {
    const found = findHeader(chain, block)
    return found && showHeader(chain, found)
  },
})
