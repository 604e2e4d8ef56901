import { encodeBlock } from '../../../types/block.ts'
import { requireHeader } from '../../blocks/resolveBlock.ts'
import { blockNumber } from '../../codecs/blockRef.ts'
import { data } from '../../codecs/bytes.ts'
import { rawErrors } from '../../protocol/errorDocs.ts'
import { RpcError } from '../../protocol/fault.ts'
import { method, param } from '../../protocol/method.ts'

export const debug_getRawBlock = method({
  name: 'debug_getRawBlock',
  doc: 'Returns a canonical block as RLP.',
  needs: ['chain'],
  params: [param('block', blockNumber)],
  result: data,
  errors: rawErrors,
  example: ['latest'],
  handler({ chain }, [block]) {
    const found = chain.blockBy(requireHeader(chain, block).hash)
    if (!found) throw new RpcError({ code: 'BLOCK_NOT_FOUND' })
    return encodeBlock(found.block)
  },
})
