import { AllowlistError } from '../../../permissioning/fault.ts'
import { anything } from '../../codecs/anything.ts'
import { exampleEnode } from '../../codecs/enodeUrl.ts'
import { listDecoder } from '../../codecs/list.ts'
import { success } from '../../codecs/success.ts'
import { allowlistErrors } from '../../protocol/errorDocs.ts'
import { method, param } from '../../protocol/method.ts'

export const perm_addNodesToAllowlist = method({
  name: 'perm_addNodesToAllowlist',
  doc: 'Adds nodes to the allowlist and to the permissions file, all or none.',
  needs: ['permissions'],
  params: [param('enodes', listDecoder(anything))],
  result: success,
  errors: allowlistErrors,
  example: [[exampleEnode]],
  handler({ permissions }, [entries]) {
    if (!permissions.nodes) throw new AllowlistError({ code: 'NODES_DISABLED' })
    return permissions.nodes.add(entries)
  },
})
