import { emptyBytes } from '../../../primitives/bytes.ts'
import { findState } from '../../../query/findState.ts'
import { requireHeader } from '../../blocks/resolveBlock.ts'
import { blockRef } from '../../codecs/blockRef.ts'
import { address, data } from '../../codecs/bytes.ts'
import { nullable } from '../../codecs/nullable.ts'
import { blockErrors } from '../../protocol/errorDocs.ts'
import { method, param } from '../../protocol/method.ts'

export const eth_getCode = method({
  name: 'eth_getCode',
  doc: 'Returns the code of an account at a block; null if the state of the block is not available.',
  needs: ['chain'],
  params: [param('address', address), param('block', blockRef)],
  result: nullable(data),
  errors: blockErrors,
  example: ['0xfe3b557e8fb62b89f4916b721be55ceb828dbd73', 'latest'],
  handler({ chain }, [owner, block]) {
    const state = findState(chain, requireHeader(chain, block))
    if (!state) return undefined
    const account = state.account(owner)
    return account ? state.code(account.codeHash) : emptyBytes
  },
})
