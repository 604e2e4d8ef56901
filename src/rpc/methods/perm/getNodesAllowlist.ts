import { AllowlistError } from '../../../permissioning/fault.ts'
import { listEncoder } from '../../codecs/list.ts'
import { text } from '../../codecs/text.ts'
import { method } from '../../protocol/method.ts'

export const perm_getNodesAllowlist = method({
  name: 'perm_getNodesAllowlist',
  doc: 'Lists the nodes that may be connected.',
  needs: ['permissions'],
  params: [],
  result: listEncoder(text),
  errors: [[-32000, 'The allowlist is not enabled.']],
  handler({ permissions }) {
    if (!permissions.nodes) throw new AllowlistError({ code: 'NODES_DISABLED' })
    return permissions.nodes.list()
  },
})
