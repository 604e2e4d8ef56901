import { findState } from '../../../query/findState.ts'
import { requireHeader } from '../../blocks/resolveBlock.ts'
import { blockRef } from '../../codecs/blockRef.ts'
import { address } from '../../codecs/bytes.ts'
import { nullable } from '../../codecs/nullable.ts'
import { quantity } from '../../codecs/quantity.ts'
import { blockErrors } from '../../protocol/errorDocs.ts'
import { method, param } from '../../protocol/method.ts'

export const eth_getBalance = method({
  name: 'eth_getBalance',
  doc: 'Returns the balance of an account at a block in wei; null if the state of the block is not available.',
  needs: ['chain'],
  params: [param('address', address), param('block', blockRef)],
  result: nullable(quantity),
  errors: blockErrors,
  example: ['0xfe3b557e8fb62b89f4916b721be55ceb828dbd73', 'latest'],
  handler({ chain }, [owner, block]) {
    const state = findState(chain, requireHeader(chain, block))
    return state && (state.account(owner)?.balance ?? 0n)
  },
})
