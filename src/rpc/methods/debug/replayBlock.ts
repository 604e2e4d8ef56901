import { canonicalNumber } from '../../blocks/canonicalNumber.ts'
import { blockNumber } from '../../codecs/blockRef.ts'
import { success } from '../../codecs/success.ts'
import { headErrors } from '../../protocol/errorDocs.ts'
import { RpcError } from '../../protocol/fault.ts'
import { method, param } from '../../protocol/method.ts'

export const debug_replayBlock = method({
  name: 'debug_replayBlock',
  doc: 'Takes the head back to before a block and imports that block again. If it fails, nothing has changed.',
  needs: ['chain', 'control'],
  params: [param('block', blockNumber)],
  result: success,
  errors: [...headErrors, [-32000, 'It is the genesis block.']],
  example: ['latest'],
  handler({ chain, control }, [block]) {
    const number = canonicalNumber(chain, block)
    if (number === 0n) throw new RpcError({ code: 'PARENT_NOT_FOUND' })
    control.replayBlock(number)
  },
})
