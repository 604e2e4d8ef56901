import { alias } from '../../protocol/method.ts'
import { perm_getAccountsAllowlist } from './getAccountsAllowlist.ts'

/** The name in older versions of Besu. */
export const perm_getAccountsWhitelist = alias(perm_getAccountsAllowlist, 'perm_getAccountsWhitelist')
