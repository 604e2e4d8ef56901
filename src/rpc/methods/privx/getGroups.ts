import type { PrivacyGroup } from '../../../privacy/enclave/enclave.ts'
import { EnclaveError } from '../../../privacy/enclave/enclave.ts'
import { privateMethod } from '../../calls/privateMethod.ts'
import { listEncoder } from '../../codecs/list.ts'
import { record } from '../../codecs/record.ts'
import { text } from '../../codecs/text.ts'
import { groupObject } from '../../objects/privacyGroup.ts'
import { RpcError } from '../../protocol/fault.ts'

interface OwnGroups {
  readonly publicKey: string
  readonly groups: readonly PrivacyGroup[]
}

const ownGroupsObject = record<OwnGroups>('own groups', (member) => [
  member('publicKey', text, ({ publicKey }) => publicKey),
  member('groups', listEncoder(groupObject), ({ groups }) => groups),
])

/** Besu has no such method: its users have to know the members of a group to find it. */
export const privx_getGroups = privateMethod({
  name: 'privx_getGroups',
  doc:
    'Returns the key at the private transaction manager for which the caller acts, and the privacy groups that it is a member of. ' +
    'An external manager is not asked for groups that have no transaction yet.',
  needs: [],
  params: [],
  result: ownGroupsObject,
  async handler({ privacy }) {
    try {
      return { publicKey: privacy.publicKey, groups: await privacy.ownGroups() }
    } catch (error) {
      if (error instanceof EnclaveError) throw new RpcError({ code: 'GROUP_NOT_FOUND' }, error)
      throw error
    }
  },
})
