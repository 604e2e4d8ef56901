import { AllowlistError } from '../../../permissioning/fault.ts'
import { anything } from '../../codecs/anything.ts'
import { listDecoder } from '../../codecs/list.ts'
import { success } from '../../codecs/success.ts'
import { allowlistErrors } from '../../protocol/errorDocs.ts'
import { method, param } from '../../protocol/method.ts'

export const perm_addAccountsToAllowlist = method({
  name: 'perm_addAccountsToAllowlist',
  doc: 'Adds accounts to the allowlist and to the permissions file, all or none.',
  needs: ['permissions'],
  params: [param('addresses', listDecoder(anything))],
  result: success,
  errors: allowlistErrors,
  example: [['0xfe3b557e8fb62b89f4916b721be55ceb828dbd73']],
  handler({ permissions }, [entries]) {
    if (!permissions.accounts) throw new AllowlistError({ code: 'ACCOUNTS_DISABLED' })
    return permissions.accounts.add(entries)
  },
})
