import { alias } from '../../protocol/method.ts'
import { perm_addNodesToAllowlist } from './addNodesToAllowlist.ts'

/** The name in older versions of Besu. */
export const perm_addNodesToWhitelist = alias(perm_addNodesToAllowlist, 'perm_addNodesToWhitelist')
