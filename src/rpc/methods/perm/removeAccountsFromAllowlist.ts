import { AllowlistError } from '../../../permissioning/fault.ts'
import { anything } from '../../codecs/anything.ts'
import { listDecoder } from '../../codecs/list.ts'
import { success } from '../../codecs/success.ts'
import { allowlistErrors } from '../../protocol/errorDocs.ts'
import { method, param } from '../../protocol/method.ts'

export const perm_removeAccountsFromAllowlist = method({
  name: 'perm_removeAccountsFromAllowlist',
  doc: 'Removes accounts from the allowlist and from the permissions file, all or none. Others cannot send transactions; those of removed accounts leave the pool.',
  needs: ['permissions'],
  params: [param('addresses', listDecoder(anything))],
  result: success,
  errors: allowlistErrors,
  example: [['0xfe3b557e8fb62b89f4916b721be55ceb828dbd73']],
  handler({ permissions }, [entries]) {
    if (!permissions.accounts) throw new AllowlistError({ code: 'ACCOUNTS_DISABLED' })
    return permissions.accounts.remove(entries)
  },
})
