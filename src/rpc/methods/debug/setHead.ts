import { canonicalNumber } from '../../blocks/canonicalNumber.ts'
import { blockNumber } from '../../codecs/blockRef.ts'
import { success } from '../../codecs/success.ts'
import { headErrors, signedError } from '../../protocol/errorDocs.ts'
import { RpcError } from '../../protocol/fault.ts'
import { method, param } from '../../protocol/method.ts'

export const debug_setHead = method({
  name: 'debug_setHead',
  doc: 'Sets the head of the chain to an earlier block and its state. The blocks after it stay in the database.',
  needs: ['chain', 'control'],
  params: [param('block', blockNumber)],
  result: success,
  errors: [...headErrors, signedError],
  example: ['latest'],
  handler({ chain, control }, [block]) {
    const number = canonicalNumber(chain, block)
    if (control.hasSignedAfter(number)) throw new RpcError({ code: 'BLOCKS_SIGNED' })
    control.setHead(number)
  },
})
