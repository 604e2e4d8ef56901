import { findState } from '../../../query/findState.ts'
import { requireHeader } from '../../blocks/resolveBlock.ts'
import { blockRef } from '../../codecs/blockRef.ts'
import { address } from '../../codecs/bytes.ts'
import { quantity } from '../../codecs/quantity.ts'
import { blockErrors } from '../../protocol/errorDocs.ts'
import { method, param } from '../../protocol/method.ts'

export const eth_getTransactionCount = method({
  name: 'eth_getTransactionCount',
  doc: 'Returns the nonce of an account at a block; with `pending`, the next nonce after its transactions in the pool.',
  needs: ['chain', 'pool'],
  params: [param('address', address), param('block', blockRef)],
  result: quantity,
  errors: blockErrors,
  example: ['0xfe3b557e8fb62b89f4916b721be55ceb828dbd73', 'latest'],
  handler({ chain, pool }, [owner, block]) {
    const state = findState(chain, requireHeader(chain, block))
    const nonce = state?.account(owner)?.nonce ?? 0n
    const next = 'tag' in block && block.tag === 'pending' ? pool.nextNonce(owner) : undefined
    return next !== undefined && next > nonce ? next : nonce
  },
})
