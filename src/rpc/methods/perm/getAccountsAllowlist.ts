import { AllowlistError } from '../../../permissioning/fault.ts'
import { listEncoder } from '../../codecs/list.ts'
import { text } from '../../codecs/text.ts'
import { method } from '../../protocol/method.ts'

export const perm_getAccountsAllowlist = method({
  name: 'perm_getAccountsAllowlist',
  doc: 'Lists the accounts that may send transactions.',
  needs: ['permissions'],
  params: [],
  result: listEncoder(text),
  errors: [[-32000, 'The allowlist is not enabled.']],
  handler({ permissions }) {
    if (!permissions.accounts) throw new AllowlistError({ code: 'ACCOUNTS_DISABLED' })
    return permissions.accounts.list()
  },
})
