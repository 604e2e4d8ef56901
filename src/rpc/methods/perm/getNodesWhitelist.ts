import { alias } from '../../protocol/method.ts'
import { perm_getNodesAllowlist } from './getNodesAllowlist.ts'

/** The name in older versions of Besu. */
export const perm_getNodesWhitelist = alias(perm_getNodesAllowlist, 'perm_getNodesWhitelist')
