import { canonicalNumber } from '../../blocks/canonicalNumber.ts'
import { blockNumber } from '../../codecs/blockRef.ts'
import { success } from '../../codecs/success.ts'
import { headErrors, signedError } from '../../protocol/errorDocs.ts'
import { RpcError } from '../../protocol/fault.ts'
import { method, param } from '../../protocol/method.ts'

export const debug_replayBlock = method({
  name: 'debug_replayBlock',
  doc: 'Sets the head to the parent of a block and imports the block again. If that fails, nothing is changed.',
  needs: ['chain', 'control'],
  params: [param('block', blockNumber)],
  result: success,
  errors: [...headErrors, [-32000, 'The block is the genesis block.'], signedError],
  example: ['latest'],
  handler({ chain, control }, [block]) {
    const number = canonicalNumber(chain, block)
    if (control.hasSignedAfter(number)) throw new RpcError({ code: 'BLOCKS_SIGNED' })
    if (number === 0n) throw new RpcError({ code: 'PARENT_NOT_FOUND' })
    control.replayBlock(number)
  },
})
