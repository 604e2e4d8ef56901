import { EnclaveError } from '../../../privacy/enclave/enclave.ts'
import { privateMethod } from '../../calls/privateMethod.ts'
import { list, listEncoder } from '../../codecs/list.ts'
import { text } from '../../codecs/text.ts'
import { groupObject } from '../../objects/privacyGroup.ts'
import { RpcError } from '../../protocol/fault.ts'
import { param } from '../../protocol/method.ts'

export const priv_findPrivacyGroup = privateMethod({
  name: 'priv_findPrivacyGroup',
  doc: 'Returns the privacy groups with exactly the given members.',
  needs: [],
  groups: 'managed',
  params: [param('members', list(text))],
  result: listEncoder(groupObject),
  example: [['A1aVtMxLCUHmBVHXoZzzBgPbW/wj5axDpW9X8l91SGo=']],
  async handler({ privacy }, [members]) {
    try {
      return await privacy.enclave.findGroups(members)
    } catch (error) {
      if (error instanceof EnclaveError) throw new RpcError({ code: 'GROUP_NOT_FOUND' }, error)
      throw error
    }
  },
})
