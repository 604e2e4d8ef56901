import { alias } from '../../protocol/method.ts'
import { perm_addAccountsToAllowlist } from './addAccountsToAllowlist.ts'

/** The name in older versions of Besu. */
export const perm_addAccountsToWhitelist = alias(perm_addAccountsToAllowlist, 'perm_addAccountsToWhitelist')
