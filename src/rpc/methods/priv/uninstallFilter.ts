import { privateMethod } from '../../calls/privateMethod.ts'
import { boolean } from '../../codecs/boolean.ts'
import { groupText } from '../../codecs/groupParam.ts'
import { text } from '../../codecs/text.ts'
import { param } from '../../protocol/method.ts'

export const priv_uninstallFilter = privateMethod({
  name: 'priv_uninstallFilter',
  doc: 'Removes a filter of a group. Returns false if the group has no such filter.',
  needs: [],
  params: [param('privacyGroupId', groupText), param('filterId', text)],
  result: boolean,
  example: ['DyAOiF/ynpc+JXa2YAGB0bCitSlOMNm+ShmB/7M6C4w=', '0x1'],
  handler: ({ privacy }, [group, id]) => privacy.filters.remove(group, id),
})
