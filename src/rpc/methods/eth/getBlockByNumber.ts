import { findHeader } from '../../blocks/resolveBlock.ts'
import { showBlock } from '../../blocks/showBlock.ts'
import { blockNumber } from '../../codecs/blockRef.ts'
import { boolean } from '../../codecs/boolean.ts'
import { nullable } from '../../codecs/nullable.ts'
import { blockObject } from '../../objects/block.ts'
import { tagErrors } from '../../protocol/errorDocs.ts'
import { method, param } from '../../protocol/method.ts'

export const eth_getBlockByNumber = method({
  name: 'eth_getBlockByNumber',
  doc: 'Returns a block by number; null if there is none.',
  needs: ['chain'],
  params: [param('block', blockNumber), param('verbose', boolean)],
  result: nullable(blockObject),
  errors: tagErrors,
  example: ['latest', false],
  handler({ chain }, [block, verbose]) {
    const found = findHeader(chain, block)
    return found && showBlock(chain, found.hash, verbose)
  },
})
