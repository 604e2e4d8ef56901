import { alias } from '../../protocol/method.ts'
import { perm_removeAccountsFromAllowlist } from './removeAccountsFromAllowlist.ts'

/** The name in older versions of Besu. */
export const perm_removeAccountsFromWhitelist = alias(
  perm_removeAccountsFromAllowlist,
  'perm_removeAccountsFromWhitelist',
)
