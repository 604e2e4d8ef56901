import { findHeader } from '../../blocks/resolveBlock.ts'
import { showHeader } from '../../blocks/showHeader.ts'
import { blockNumber } from '../../codecs/blockRef.ts'
import { nullable } from '../../codecs/nullable.ts'
import { headerObject } from '../../objects/header.ts'
import { tagErrors } from '../../protocol/errorDocs.ts'
import { method, param } from '../../protocol/method.ts'

/** Not in Besu 23.10; as in geth, Erigon and Reth. */
export const eth_getHeaderByNumber = method({
  name: 'eth_getHeaderByNumber',
  doc: 'Returns the header of a block by number; null if there is none.',
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
