import { encodeHeader } from '../../types/header.ts'
import { blockNumber } from '../codecs/blockRef.ts'
import { data } from '../codecs/bytes.ts'
import { method, param } from '../method.ts'
import { requireHeader } from '../resolveBlock.ts'
import { rawErrors } from './errors.ts'

export const debug_getRawHeader = method({
  name: 'debug_getRawHeader',
  doc: 'RLP of the header of a canonical block.',
  needs: ['chain'],
  params: [param('block', blockNumber)],
  result: data,
  errors: rawErrors,
  example: ['latest'],
  handler: ({ chain }, [block]) => encodeHeader(requireHeader(chain, block).header),
})
