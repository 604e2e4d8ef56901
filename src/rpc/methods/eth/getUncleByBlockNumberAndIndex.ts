import { findHeader } from '../../blocks/resolveBlock.ts'
import { showOmmer } from '../../blocks/showBlock.ts'
import { blockNumber } from '../../codecs/blockRef.ts'
import { index } from '../../codecs/integer.ts'
import { nullable } from '../../codecs/nullable.ts'
import { blockObject } from '../../objects/block.ts'
import { tagErrors } from '../../protocol/errorDocs.ts'
import { method, param } from '../../protocol/method.ts'

export const eth_getUncleByBlockNumberAndIndex = method({
  name: 'eth_getUncleByBlockNumberAndIndex',
  doc: 'Returns an uncle by block number and index; null if there is none.',
  needs: ['chain'],
  params: [param('block', blockNumber), param('index', index)],
  result: nullable(blockObject),
  errors: tagErrors,
  example: ['latest', '0x0'],
  handler({ chain }, [block, at]) {
    const found = findHeader(chain, block)
    const body = found && chain.body(found.hash)
    const ommer = body?.ommers[at]
    return ommer && showOmmer(ommer)
  },
})
