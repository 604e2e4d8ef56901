import { encodeHeader } from '../../../types/header.ts'
import { requireHeader } from '../../blocks/resolveBlock.ts'
import { blockNumber } from '../../codecs/blockRef.ts'
import { data } from '../../codecs/bytes.ts'
import { rawErrors } from '../../protocol/errorDocs.ts'
import { method, param } from '../../protocol/method.ts'

export const debug_getRawHeader = method({
  name: 'debug_getRawHeader',
  doc: 'Returns the header of a canonical block as RLP.',
  needs: ['chain'],
  params: [param('block', blockNumber)],
  result: data,
  errors: rawErrors,
  example: ['latest'],
  handler: ({ chain }, [block]) => encodeHeader(requireHeader(chain, block).header),
})
