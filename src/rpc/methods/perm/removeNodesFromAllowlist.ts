import { AllowlistError } from '../../../permissioning/fault.ts'
import { anything } from '../../codecs/anything.ts'
import { exampleEnode } from '../../codecs/enodeUrl.ts'
import { listDecoder } from '../../codecs/list.ts'
import { success } from '../../codecs/success.ts'
import { allowlistErrors } from '../../protocol/errorDocs.ts'
import { method, param } from '../../protocol/method.ts'

export const perm_removeNodesFromAllowlist = method({
  name: 'perm_removeNodesFromAllowlist',
  doc: 'Removes nodes from the allowlist and from the permissions file, all or none. Removed nodes are disconnected.',
  needs: ['permissions'],
  params: [param('enodes', listDecoder(anything))],
  result: success,
  errors: allowlistErrors,
  example: [[exampleEnode]],
  handler({ permissions }, [entries]) {
    if (!permissions.nodes) throw new AllowlistError({ code: 'NODES_DISABLED' })
    return permissions.nodes.remove(entries)
  },
})
