import { requireHeader } from '../../blocks/resolveBlock.ts'
import { requireBlockState } from '../../calls/requireBlockState.ts'
import { blockRef, latest } from '../../codecs/blockRef.ts'
import { boolean } from '../../codecs/boolean.ts'
import { address } from '../../codecs/bytes.ts'
import { blockErrors } from '../../protocol/errorDocs.ts'
import { method, param } from '../../protocol/method.ts'

export const ots_hasCode = method({
  name: 'ots_hasCode',
  doc: 'Returns whether an account has code at a block.',
  needs: ['chain'],
  params: [param('address', address), param('block', blockRef, { value: latest })],
  result: boolean,
  errors: blockErrors,
  example: ['0xfe3b557e8fb62b89f4916b721be55ceb828dbd73', 'latest'],
  handler({ chain }, [owner, block]) {
    const { state } = requireBlockState(chain, requireHeader(chain, block))
    const account = state.account(owner)
    return account !== undefined && state.code(account.codeHash).length > 0
  },
})
