import { alias } from '../../protocol/method.ts'
import { perm_removeNodesFromAllowlist } from './removeNodesFromAllowlist.ts'

/** The name in older versions of Besu. */
export const perm_removeNodesFromWhitelist = alias(perm_removeNodesFromAllowlist, 'perm_removeNodesFromWhitelist')
