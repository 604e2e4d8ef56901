import { blockNumber } from '../codecs/blockRef.ts'
import { boolean } from '../codecs/boolean.ts'
import { nullable } from '../codecs/nullable.ts'
import { method, param } from '../method.ts'
import { blockObject } from '../objects/block.ts'
import { findHeader } from '../resolveBlock.ts'
import { showBlock } from '../showBlock.ts'
import { tagErrors } from './errors.ts'

export const eth_getBlockByNumber = method({
  name: 'eth_getBlockByNumber',
  doc: 'A block by its number; null when there is none.',
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
