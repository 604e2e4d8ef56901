import { privateMethod } from '../../calls/privateMethod.ts'
import { groupOptions } from '../../codecs/groupOptions.ts'
import { text } from '../../codecs/text.ts'
import { param } from '../../protocol/method.ts'

export const priv_createPrivacyGroup = privateMethod({
  name: 'priv_createPrivacyGroup',
  doc: 'Creates a privacy group with the given members, this node among them. Returns its id.',
  needs: [],
  groups: 'managed',
  params: [param('options', groupOptions)],
  result: text,
  errors: [[-50200, 'The private transaction manager refused: a member is unknown, or this node is not among them.']],
  example: [{ addresses: ['A1aVtMxLCUHmBVHXoZzzBgPbW/wj5axDpW9X8l91SGo='], name: 'Trade' }],
  async handler({ privacy }, [options]) {
    const group = await privacy.enclave.createGroup({ ...options, from: privacy.publicKey })
    return group.privacyGroupId
  },
})
