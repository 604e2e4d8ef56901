import { success } from '../../codecs/success.ts'
import { method } from '../../protocol/method.ts'

export const perm_reloadPermissionsFromFile = method({
  name: 'perm_reloadPermissionsFromFile',
  doc: 'Reads the permissions files again. If one is invalid nothing changes, and the log says why.',
  needs: ['permissions'],
  params: [],
  result: success,
  errors: [[-32000, 'No allowlist is enabled, or a file is invalid.']],
  handler: ({ permissions }) => permissions.reload(),
})
