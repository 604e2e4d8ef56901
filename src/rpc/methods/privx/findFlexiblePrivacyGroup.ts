import { privateMethod } from '../../calls/privateMethod.ts'
import { list, listEncoder } from '../../codecs/list.ts'
import { text } from '../../codecs/text.ts'
import { groupObject } from '../../objects/privacyGroup.ts'
import { param } from '../../protocol/method.ts'

export const privx_findFlexiblePrivacyGroup = privateMethod({
  name: 'privx_findFlexiblePrivacyGroup',
  doc: 'Returns the flexible privacy groups of this node whose members include all of the given ones.',
  needs: [],
  groups: 'flexible',
  params: [param('members', list(text))],
  result: listEncoder(groupObject),
  errors: [
    [-32000, 'The private state is behind the head.'],
    [-32604, 'Groups are not flexible on this node.'],
  ],
  example: [['A1aVtMxLCUHmBVHXoZzzBgPbW/wj5axDpW9X8l91SGo=']],
  async handler({ privacy }, [members]) {
    const groups = await privacy.flexible!.findByMembers(members)
    return groups.filter((group) => group.members.includes(privacy.publicKey))
  },
})
