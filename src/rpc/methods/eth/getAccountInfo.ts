import { emptyBytes } from '../../../primitives/bytes.ts'
import { requireHeader } from '../../blocks/resolveBlock.ts'
import { requireBlockState } from '../../calls/requireBlockState.ts'
import { blockRef } from '../../codecs/blockRef.ts'
import { address, data } from '../../codecs/bytes.ts'
import { quantity } from '../../codecs/quantity.ts'
import { record } from '../../codecs/record.ts'
import { blockErrors } from '../../protocol/errorDocs.ts'
import { method, param } from '../../protocol/method.ts'

interface AccountInfo {
  readonly balance: bigint
  readonly nonce: bigint
  readonly code: Uint8Array
}

const infoObject = record<AccountInfo>('account', (member) => [
  member('balance', quantity, ({ balance }) => balance),
  member('nonce', quantity, ({ nonce }) => nonce),
  member('code', data, ({ code }) => code),
])

/** Not in Besu 23.10; as in Reth and anvil. */
export const eth_getAccountInfo = method({
  name: 'eth_getAccountInfo',
  doc: 'Returns the balance, nonce and code of an account at a block.',
  needs: ['chain'],
  params: [param('address', address), param('block', blockRef)],
  result: infoObject,
  errors: blockErrors,
  example: ['0xfe3b557e8fb62b89f4916b721be55ceb828dbd73', 'latest'],
  handler({ chain }, [owner, block]) {
    const { state } = requireBlockState(chain, requireHeader(chain, block))
    const account = state.account(owner)
    if (!account) return { balance: 0n, nonce: 0n, code: emptyBytes }
    return { balance: account.balance, nonce: account.nonce, code: state.code(account.codeHash) }
  },
})
