import { EnclaveError } from '../../../privacy/enclave/enclave.ts'
import { privateMethod } from '../../calls/privateMethod.ts'
import { groupText } from '../../codecs/groupParam.ts'
import { text } from '../../codecs/text.ts'
import { RpcError } from '../../protocol/fault.ts'
import { param } from '../../protocol/method.ts'

export const priv_deletePrivacyGroup = privateMethod({
  name: 'priv_deletePrivacyGroup',
  doc: 'Deletes a privacy group. Returns its id.',
  needs: [],
  groups: 'managed',
  params: [param('privacyGroupId', groupText)],
  outsider: 'GROUP_NOT_DELETED',
  result: text,
  example: ['DyAOiF/ynpc+JXa2YAGB0bCitSlOMNm+ShmB/7M6C4w='],
  async handler({ privacy }, [id]) {
    try {
      return await privacy.enclave.deleteGroup(id, privacy.publicKey)
    } catch (error) {
      if (error instanceof EnclaveError) throw new RpcError({ code: 'GROUP_NOT_DELETED' }, error)
      throw error
    }
  },
})
