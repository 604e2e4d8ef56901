import { canonicalNumber } from '../../blocks/canonicalNumber.ts'
import { blockNumber } from '../../codecs/blockRef.ts'
import { success } from '../../codecs/success.ts'
import { headErrors } from '../../protocol/errorDocs.ts'
import { method, param } from '../../protocol/method.ts'

export const debug_setHead = method({
  name: 'debug_setHead',
  doc: 'Sets the head of the chain to an earlier block and its state. The blocks after it stay in the database.',
  needs: ['chain', 'control'],
  params: [param('block', blockNumber)],
  result: success,
  errors: headErrors,
  example: ['latest'],
  handler: ({ chain, control }, [block]) => control.setHead(canonicalNumber(chain, block)),
})
